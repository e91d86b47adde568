import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { createMailbox, type Mailbox } from '../../test-kit/mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

const FORMS_A_MINUTE = 20;
const ONE_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function siteAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  const downloadsDir = mkdtempSync(join(tmpdir(), 'parley-attacks-'));
  beforeAll(async () => {
    mailbox = createMailbox();
    writeFileSync(join(downloadsDir, 'Parley-0.2.0.AppImage'), 'an installer');
    server = await startServer(await open(), {
      enqueueMail: mailbox.enqueue,
      account: { access: 'granted', origin: 'https://parley.example' },
      site: { textsDir: null, downloadsDir, operatorEmail: 'operator@parley.example' },
      strictRequestsPerMinute: FORMS_A_MINUTE,
    });
  });
  afterAll(() => server.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
  async function publish(slug: string, coverImage: string | null): Promise<void> {
    await server.database.db.insert(tables.blogPosts).values({
      id: randomUUID(),
      title: slug,
      slug,
      content: 'Words.',
      excerpt: 'About words.',
      coverImage,
      publishedAt: server.now(),
      createdAt: server.now(),
      updatedAt: server.now(),
      syncVersion: 1,
    });
  }

  describe('a cover', () => {
    it.each([
      ['is damaged', 'data:image/svg+xml;utf8,%3Csvg%E0%A4%A'],
      ['is no drawing', 'data:image/svg+xml;utf8,hello'],
      ['is a drawing with a wrong number', 'data:image/svg+xml;base64,PHN2ZyB3aWR0aD0iLTEiLz4='],
      ['is empty', ''],
    ])('that %s is replaced by the title of the post', async (what, cover) => {
      const slug = what.replaceAll(' ', '-');
      await publish(slug, cover);
      const { statusCode, headers, rawPayload } = await get(`/blog/${slug}/cover.png`);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('image/png');
      expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1_200, 630]);
      expect((await get(`/blog/${slug}`)).statusCode).toBe(200);
      expect((await get('/blog')).statusCode).toBe(200);
    });

    it('that is a photo is drawn in the sizes of previews', { tags: ['slow'] }, async () => {
      await publish('photo', ONE_PIXEL);
      await publish('no-photo', null);
      for (const [file, width, height] of [
        ['cover.png', 1_200, 630],
        ['cover-small.png', 600, 315],
      ] as const) {
        const { headers, rawPayload } = await get(`/blog/photo/${file}`);
        expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
        expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([width, height]);
        expect(rawPayload.equals((await get(`/blog/no-photo/${file}`)).rawPayload)).toBe(false);
      }
    });

    it('that the library cannot decode is sent as it is', async () => {
      const webp = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';
      await publish('webp', `data:image/webp;base64,${webp}`);
      const { headers, rawPayload } = await get('/blog/webp/cover.png');
      expect(headers['content-type']).toBe('image/webp');
      expect(rawPayload.toString('base64')).toBe(webp);
    });
  });

  describe('an address', () => {
    it.each([
      '/blog/%00',
      '/blog/%00/cover.png',
      '/tags/%00',
      '/blog/%E0%A4%A',
      `/blog/${'a'.repeat(5_000)}`,
      `/tags/${encodeURIComponent("' or 1=1 --")}`,
      '/blog?page=-1',
      '/blog?page=1e9',
      '/blog?page=1&page=2',
      '/downloads/files/%00',
      '/downloads/files/..%2F..%2Fetc%2Fpasswd',
    ])('%s is answered without a failure of the server', async (url) => {
      const { statusCode } = await get(url);
      expect(statusCode).toBeLessThan(500);
      expect(server.log()).not.toContain('unhandled_error');
    });
  });

  describe('a forged host', () => {
    it.each([
      { host: 'evil.example' },
      { host: 'parley.example', 'x-forwarded-host': 'evil.example' },
      { host: 'parley.example', forwarded: 'host=evil.example' },
      { host: 'parley.example', 'x-original-url': '/admin', 'x-forwarded-proto': 'javascript' },
    ])('reaches no page that a CDN keeps: %o', async (headers) => {
      await publish(`post-${randomUUID()}`, null);
      for (const path of [
        '/',
        '/blog',
        '/blog/rss.xml',
        '/blog/atom.xml',
        '/blog/feed.json',
        '/sitemap.xml',
        '/robots.txt',
        '/nowhere',
      ]) {
        const answer = await get(path, headers as Record<string, string>);
        expect(answer.body).not.toContain('evil.example');
        expect(answer.headers['location'] ?? '').not.toContain('evil.example');
      }
    });
  });

  describe('a range of an installer', () => {
    const file = '/downloads/files/Parley-0.2.0.AppImage';
    it.each([
      ['bytes=0-1', 206, 'an'],
      ['bytes=-3', 206, 'ler'],
      ['bytes=3-', 206, 'installer'],
      ['bytes=12-', 416, null],
      ['bytes=5-2', 416, null],
      ['pages=1-2', 200, 'an installer'],
    ])('%s', async (range, status, body) => {
      const answer = await get(file, { range });
      expect(answer.statusCode).toBe(status);
      if (body !== null) expect(answer.body).toBe(body);
      if (status === 416) expect(answer.headers['content-range']).toBe('bytes */12');
    });

    it('that asks for the file many times over gets it once at most', async () => {
      const range = `bytes=${Array.from({ length: 500 }, () => '0-').join(',')}`;
      const { rawPayload } = await get(file, { range });
      expect(rawPayload.byteLength).toBeLessThanOrEqual(12);
    });
  });

  describe('a flood of forms', () => {
    it('is refused with a page, sends few mails, and leaves the pages readable', async () => {
      const form = await get('/request-access');
      const token = /name="token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
      const cookie = [form.headers['set-cookie']]
        .flat()
        .map((each) => String(each).split(';')[0])
        .join('; ');
      const send = (email: string) =>
        server.app.inject({
          method: 'POST',
          url: '/request-access',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'text/html',
            cookie,
            origin: 'https://parley.example',
            host: 'parley.example',
          },
          payload: new URLSearchParams({ token, email, website: '' }).toString(),
        });
      const answers = await Promise.all(
        Array.from({ length: FORMS_A_MINUTE * 5 }, (_, index) => send(`victim-${index % 3}@parley.example`)),
      );
      const refused = answers.filter(({ statusCode }) => statusCode === 429);
      expect(refused.length).toBeGreaterThanOrEqual(FORMS_A_MINUTE * 4);
      expect(refused[0]?.body).toContain('Too many requests');
      expect(answers.filter(({ statusCode }) => ![200, 429].includes(statusCode))).toEqual([]);
      expect(mailbox.to('victim-0@parley.example').length).toBeLessThanOrEqual(5);
      expect((await get('/')).statusCode).toBe(200);
    });

    it('with more than a form holds is refused before it is parsed', async () => {
      const { statusCode } = await server.app.inject({
        method: 'POST',
        url: '/request-access',
        remoteAddress: '198.51.100.7',
        headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'parley.example' },
        payload: `email=${'a'.repeat(100_000)}`,
      });
      expect(statusCode).toBe(413);
    });
  });
}
