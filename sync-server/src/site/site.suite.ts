import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { postTags } from '../db/content-tables.ts';
import { tables } from '../db/tables.ts';
import { createMailbox, type Mailbox } from '../../test-kit/mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

const ORIGIN = 'https://parley.example';
const DAY_MS = 86_400_000;

export function siteSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  const downloadsDir = mkdtempSync(join(tmpdir(), 'parley-downloads-'));
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), {
      enqueueMail: mailbox.enqueue,
      account: { access: 'granted', origin: ORIGIN },
      site: { textsDir: null, downloadsDir, operatorEmail: 'operator@parley.example' },
    });
  });
  afterAll(() => server.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
  async function publish(post: {
    slug: string;
    title?: string;
    content?: string;
    excerpt?: string;
    cover?: string;
    inDays?: number;
  }): Promise<string> {
    const { slug, title = slug, content = 'Words.', excerpt = `About ${title}`, cover = null, inDays = 0 } = post;
    const id = randomUUID();
    await server.database.db.insert(tables.blogPosts).values({
      id,
      title,
      slug,
      content,
      excerpt,
      coverImage: cover,
      publishedAt: new Date(server.now().getTime() + inDays * DAY_MS),
      createdAt: server.now(),
      updatedAt: server.now(),
      syncVersion: 1,
    });
    return id;
  }

  describe('the pages of the site', () => {
    it.each(['/', '/pricing', '/blog', '/downloads', '/privacy', '/terms'])(
      '%s has a title, a description and an address of its own, and can be kept by a CDN',
      async (path) => {
        const { statusCode, body, headers } = await get(path);
        expect(statusCode).toBe(200);
        expect(body).toMatch(/<title>[^<]{5,}<\/title>/);
        expect(body).toMatch(/<meta name="description" content="[^"]{20,}"/);
        expect(body).toContain(`<link rel="canonical" href="${ORIGIN}${path}"`);
        expect(headers['cache-control']).toContain('public');
        expect(headers['set-cookie']).toBeUndefined();
        const etag = String(headers['etag']);
        expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(304);
      },
    );

    it('need no script and load nothing from elsewhere', async () => {
      const { body, headers } = await get('/');
      expect(body).not.toMatch(/<script(?! type="application\/ld\+json")/);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      const absolute = body.match(/(?:src|href)="https?:\/\/[^"]*"/g) ?? [];
      expect(absolute.filter((each) => !each.startsWith(`href="${ORIGIN}/`))).toEqual([]);
    });

    it('make a browser start no other process, unless they have a form', async () => {
      expect((await get('/')).headers['cross-origin-opener-policy']).toBeUndefined();
      expect((await get('/request-access')).headers['cross-origin-opener-policy']).toBe('same-origin');
    });

    it('are compressed, except those with a token', async () => {
      expect((await get('/', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
      const form = await get('/request-access', { 'accept-encoding': 'br' });
      expect(form.headers['content-encoding']).toBeUndefined();
      expect(form.headers['cache-control']).toBe('no-store');
    });

    it('answer an unknown address with a page for people and JSON for programs', async () => {
      expect(await get('/nowhere')).toMatchObject({
        statusCode: 404,
        body: expect.stringContaining('There’s nothing here'),
      });
      expect((await get('/nowhere', { accept: '*/*' })).json()).toMatchObject({ code: 'request.invalid' });
    });

    it('tell researchers whom to write to', async () => {
      expect((await get('/.well-known/security.txt')).body).toMatch(
        /^Contact: mailto:operator@parley\.example\nExpires: 2\d{3}-\d\d-\d\dT00:00:00\.000Z\n/,
      );
    });
  });

  describe('the blog', () => {
    it('shows a post on its page, in lists, feeds and the sitemap at its time', async () => {
      await publish({ slug: 'in-a-week', title: 'In a week', inDays: 7 });
      const places = ['/blog', '/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json', '/sitemap.xml'];
      expect((await get('/blog/in-a-week')).statusCode).toBe(404);
      for (const place of places) expect((await get(place)).body).not.toContain('in-a-week');
      server.advanceClock(8 * DAY_MS);
      expect((await get('/blog/in-a-week')).body).toMatch(/<h1[^>]*>In a week<\/h1>/);
      for (const place of places) expect((await get(place)).body).toContain('in-a-week');
    });

    it('never runs code from an author’s text', async () => {
      const content =
        '# Big\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)> ![a](https://elsewhere.example/a.png) ![b](/media/b.png)';
      await publish({ slug: 'attack', title: '</title><script>alert(2)</script>', content });
      const { body } = await get('/blog/attack');
      expect(body).not.toMatch(/<script>|javascript:|onerror|elsewhere\.example/);
      expect(body).toContain('<h2>Big</h2>');
      expect(body).toContain('src="/media/b.png"');
      const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
      expect(JSON.parse(data)).toMatchObject({ headline: '</title><script>alert(2)</script>' });
    });

    it('writes titles and excerpts into each feed as they were typed', async () => {
      const title = 'a < b & "c" <script>alert(1)</script>';
      const excerpt = 'If a < b, then <b>so</b> be it';
      const id = await publish({ slug: 'typed', title, excerpt });
      await server.database.db.insert(postTags).values({ postId: id, tag: 'signs', position: 0 });
      const escaped = {
        title: 'a &lt; b &amp; &quot;c&quot; &lt;script&gt;alert(1)&lt;/script&gt;',
        excerpt: 'If a &lt; b, then &lt;b&gt;so&lt;/b&gt; be it',
      };
      const feed = (await get('/blog/feed.json')).json() as { items: { id: string }[] };
      expect(feed.items.find((item) => item.id === `urn:uuid:${id}`)).toMatchObject({
        title,
        content_html: escaped.excerpt,
        url: `${ORIGIN}/blog/typed`,
        tags: ['signs'],
        author: { name: 'Parley' },
        date_modified: server.now().toISOString(),
      });
      const atom = (await get('/blog/atom.xml')).body;
      expect(atom).toContain(`<title type="html"><![CDATA[${escaped.title}]]></title>`);
      expect(atom).toContain(`<summary type="html"><![CDATA[${escaped.excerpt}]]></summary>`);
      expect(atom).toContain(`<id>urn:uuid:${id}</id>`);
      expect(atom).toContain('<category label="signs" term="signs"/>');
      expect(atom.split('<entry>')[0]).toContain(`<updated>${server.now().toISOString()}</updated>`);
      const rss = (await get('/blog/rss.xml')).body;
      expect(rss).toContain(`<title><![CDATA[${title}]]></title>`);
      expect(rss).toContain(`<description><![CDATA[${escaped.excerpt}]]></description>`);
      expect(rss).toContain(`<guid isPermaLink="false">urn:uuid:${id}</guid>`);
    });

    it('draws a picture for previews of links', async () => {
      await publish({ slug: 'pictured' });
      for (const [file, width, height] of [
        ['cover.png', 1_200, 630],
        ['cover-small.png', 600, 315],
      ] as const) {
        const { headers, rawPayload } = await get(`/blog/pictured/${file}`);
        expect(headers['content-type']).toBe('image/png');
        expect(rawPayload.subarray(1, 4).toString()).toBe('PNG');
        expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([width, height]);
      }
    });

    it('answers damaged covers and addresses without a failure', async () => {
      await publish({ slug: 'damaged', cover: 'data:image/svg+xml;utf8,%3Csvg%E0%A4%A' });
      const picture = await get('/blog/damaged/cover.png');
      expect(picture).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/png' } });
      for (const path of ['/blog/%00', '/blog/%00/cover.png', `/blog/${'a'.repeat(5_000)}`])
        expect((await get(path)).statusCode).toBe(404);
    });

    it('has pages of twelve posts', async () => {
      for (let index = 0; index < 13; index += 1) await publish({ slug: `many-${index}` });
      const second = await get('/blog?page=2');
      expect(second.body).toContain('Newer posts');
      expect((await get('/blog?page=99')).statusCode).toBe(404);
      expect((await get('/blog?page=x')).statusCode).toBe(200);
    });
  });

  describe('a request for access', () => {
    async function send(fields: Record<string, string>) {
      const form = await get('/request-access');
      const token = /name="token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
      const cookie = [form.headers['set-cookie']]
        .flat()
        .map((each) => String(each).split(';')[0])
        .join('; ');
      return server.app.inject({
        method: 'POST',
        url: '/request-access',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie,
          origin: ORIGIN,
          host: 'parley.example',
        },
        payload: new URLSearchParams({ token, ...fields }).toString(),
      });
    }

    it('sends a link, and answers the same when a program filled in the trap', async () => {
      const person = await send({ email: 'person@parley.example', website: '' });
      const program = await send({ email: 'program@parley.example', website: 'https://spam.example' });
      expect(person.statusCode).toBe(200);
      expect(program.body).toBe(person.body);
      expect(mailbox.to('person@parley.example')).toHaveLength(1);
      expect(mailbox.to('program@parley.example')).toEqual([]);
    });

    it('is refused without the token of our own form', async () => {
      const { statusCode } = await server.app.inject({
        method: 'POST',
        url: '/request-access',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
        payload: 'email=a%40parley.example',
      });
      expect(statusCode).toBeGreaterThanOrEqual(400);
    });
  });

  describe('downloads', () => {
    it('lists installers with checksums, serves parts of them, and nothing else', async () => {
      writeFileSync(join(downloadsDir, 'Parley-0.2.0.AppImage'), 'an installer');
      writeFileSync(join(downloadsDir, 'latest-linux.yml'), 'version: 0.2.0\n');
      writeFileSync(join(downloadsDir, 'notes.txt'), 'private');
      const { body } = await get('/downloads');
      expect(body).toContain('Parley-0.2.0.AppImage');
      expect(body).toContain(createHash('sha256').update('an installer').digest('hex'));
      expect(body).not.toContain('notes.txt');
      const part = await get('/downloads/files/Parley-0.2.0.AppImage', { range: 'bytes=3-7' });
      expect(part).toMatchObject({ statusCode: 206, body: 'insta' });
      expect((await get('/downloads/files/latest-linux.yml')).body).toBe('version: 0.2.0\n');
      for (const file of ['notes.txt', '..%2Fpackage.json', '.env', 'Parley-9.AppImage'])
        expect((await get(`/downloads/files/${file}`)).statusCode).toBe(404);
    });

    it('serves the files of the speech pack in parts, and nothing else of its folder', async () => {
      mkdirSync(join(downloadsDir, 'speech-pack', 'onnx'), { recursive: true });
      writeFileSync(join(downloadsDir, 'speech-pack', 'speech-pack.json'), '{}');
      writeFileSync(join(downloadsDir, 'speech-pack', 'onnx', 'encoder_model.onnx'), 'weights');
      writeFileSync(join(downloadsDir, 'speech-pack', '.secret'), 'private');
      expect((await get('/downloads/speech-pack/speech-pack.json')).body).toBe('{}');
      const part = await get('/downloads/speech-pack/onnx/encoder_model.onnx', { range: 'bytes=3-' });
      expect(part).toMatchObject({ statusCode: 206, body: 'ghts' });
      for (const path of ['.secret', '../notes.txt', '%2e%2e%2fnotes.txt', 'onnx', 'onnx/a/b.onnx', 'missing.json'])
        expect((await get(`/downloads/speech-pack/${path}`)).statusCode).toBe(404);
    });
  });
}
