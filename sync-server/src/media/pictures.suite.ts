import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentView } from '@parley/contract';
import { MAX_POST_PICTURE_BYTES, MEDIA_PATH } from '@parley/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { aPng, toAddress } from '../../test-kit/media/a-png.ts';
import { MP4, uploadFile, uploadIdOf } from '../../test-kit/media/media-fixture.ts';
import { confirmDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import { createMedia } from './index.ts';

const DAY_MS = 86_400_000;
const MAX_TOTAL_BYTES = 4_000_000;

/** Pictures in the texts of posts. */
export function picturesSuite(open: () => Promise<DatabaseConnection>): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  const media = {
    storage: createFolderStorage(join(folder, 'media')),
    uploadsDir: join(folder, 'uploads'),
    limits: { maxFileBytes: MAX_TOTAL_BYTES, maxTotalBytes: MAX_TOTAL_BYTES },
  };
  let server: TestServer;
  let admin: ContentAdmin;
  let learner: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open(), { media });
    admin = await openContentAdmin(server);
    learner = await registerDevice(server);
  });
  afterAll(() => server.close());

  const call = (input: object, by: TestDevice = admin.device) =>
    server.post('/v1/admin/media/add-picture', input, by.token);
  async function add(png: Buffer): Promise<string> {
    const { status, body } = await call({ fileName: 'office.png', picture: toAddress(png) });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return String(body['id']);
  }
  const get = (url: string, by: TestDevice | null = null) =>
    server.app.inject({ url, headers: by === null ? {} : { authorization: `Bearer ${by.token}` } });
  const getPicture = (id: string, by: TestDevice | null = null) => get(`${MEDIA_PATH}/${id}`, by);
  /** Visibility to visitors of the site, learners and admins. */
  const statusesOf = async (id: string) => [
    (await getPicture(id)).statusCode,
    (await getPicture(id, learner)).statusCode,
    (await getPicture(id, admin.device)).statusCode,
  ];
  const HIDDEN = [401, 404, 200];
  const SHOWN = [200, 200, 200];
  const aPost = (content: string, changes: object = {}) => ({
    title: 'Our office',
    slug: `post-${randomUUID()}`,
    content,
    excerpt: 'Where it is.',
    cover: '',
    publishAt: null,
    ...changes,
  });
  const showing = (id: string): string => `See:\n\n![The office](${MEDIA_PATH}/${id})`;
  const withdraw = async ({ id }: ContentView): Promise<unknown> =>
    admin.call('withdraw', { kind: 'post', id, revision: (await admin.read('post', id)).revision });

  describe('a picture', () => {
    it('has its size, and the same address however often it is added', async () => {
      const picture = { fileName: 'office.png', picture: toAddress(aPng(60, 40)) };
      const { body } = await call(picture);
      expect(body).toMatchObject({ width: 60, height: 40 });
      expect((await call(picture)).body).toEqual(body);
    });

    it('is kept once when it is added several times at the same moment', async () => {
      const picture = { fileName: 'office.png', picture: toAddress(aPng(61, 41)) };
      const added = await Promise.all(Array.from({ length: 4 }, () => call(picture)));
      expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [id, ...others] = new Set(added.map(({ body }) => String(body['id'])));
      expect(others).toEqual([]);
      expect((await getPicture(id ?? '', admin.device)).statusCode).toBe(200);
    });

    it.each([
      ['no picture', `data:image/png;base64,${Buffer.from('<!doctype html><script>').toString('base64')}`],
      ['a drawing', 'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      ['a picture without a size', toAddress(aPng(0, 0))],
      ['a picture of too many bytes', toAddress(aPng(60, 60, MAX_POST_PICTURE_BYTES))],
      ['an address elsewhere', 'https://elsewhere.example/office.png'],
    ])('is refused when it is %s', async (_what, picture) => {
      const { usedBytes } = (await server.post('/v1/admin/media/usage', {}, admin.device.token)).body;
      expect(await call({ fileName: 'x.png', picture })).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
      expect((await server.post('/v1/admin/media/usage', {}, admin.device.token)).body).toMatchObject({ usedBytes });
    });

    it('is added by admins only', async () => {
      expect((await call({ fileName: 'x.png', picture: toAddress(aPng(5, 5)) }, learner)).status).toBe(403);
    });

    it('counts towards the school’s storage limit', async () => {
      const ask = (nr: number) =>
        call({ fileName: 'x.png', picture: toAddress(aPng(nr, 1, MAX_POST_PICTURE_BYTES - 1_000)) });
      const statuses = [];
      for (let nr = 1; nr <= 8; nr += 1) statuses.push((await ask(nr)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 507]);
      server.advanceClock(31 * DAY_MS);
      await createMedia({ db: server.database.db, now: server.now, ...media }).deleteExpired();
      await confirmDevice(server, admin.device);
      expect((await ask(8)).status).toBe(200);
    });
  });

  describe('a post with a picture', () => {
    it('shows it to everyone while it is published, and only to admins before and after', async () => {
      const id = await add(aPng(61, 40));
      expect(await statusesOf(id)).toEqual(HIDDEN);
      const post = await admin.create('post', aPost(showing(id), { slug: 'our-office' }));
      expect(await statusesOf(id)).toEqual(HIDDEN);
      expect(await admin.publish(post)).toMatchObject({ status: 'published' });
      expect(await statusesOf(id)).toEqual(SHOWN);
      await withdraw(post);
      expect(await statusesOf(id)).toEqual(HIDDEN);
      expect((await get('/blog/our-office')).statusCode).toBe(404);
    });

    it('has it on the site with its size and its own type', async () => {
      const png = aPng(62, 40);
      const id = await add(png);
      await admin.publish(await admin.create('post', aPost(showing(id), { slug: 'with-its-size' })));
      const { body, headers } = await get('/blog/with-its-size');
      expect(body).toContain(
        `<img alt="The office" width="62" height="40" src="${MEDIA_PATH}/${id}" loading="lazy" decoding="async" />`,
      );
      expect(headers['content-security-policy']).toMatch(/img-src[^;]*'self'/);
      const served = await getPicture(id);
      expect(served.rawPayload.equals(png)).toBe(true);
      expect(served.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    });

    it('does not show it before its time has come', async () => {
      const id = await add(aPng(63, 40));
      const publishAt = new Date(server.now().getTime() + DAY_MS).toISOString();
      await admin.publish(await admin.create('post', aPost(showing(id), { publishAt })));
      expect(await statusesOf(id)).toEqual(HIDDEN);
    });

    it('stops showing a picture that was taken out of its text', async () => {
      const [first, second] = [await add(aPng(64, 40)), await add(aPng(65, 40))];
      const post = await admin.create('post', aPost(showing(first)));
      await admin.publish(post);
      const saved = await admin.save(await admin.read('post', post.id), aPost(showing(second)));
      expect([await statusesOf(first), await statusesOf(second)]).toEqual([SHOWN, HIDDEN]);
      if (saved.status !== 'saved') throw new Error(saved.status);
      await admin.publish(saved.content);
      expect([await statusesOf(first), await statusesOf(second)]).toEqual([HIDDEN, SHOWN]);
    });

    it('shows it to people with the link to its draft', async () => {
      const [id, other] = [await add(aPng(66, 40)), await add(aPng(67, 40))];
      const draft = await admin.create('post', aPost(showing(id)));
      const { url } = await admin.call<{ url: string }>('preview-link', { id: draft.id });
      const { pathname } = new URL(url);
      const token = pathname.split('/').at(-1) ?? '';
      expect((await get(pathname)).body).toContain(
        `<img alt="The office" width="66" height="40" src="${MEDIA_PATH}/${id}?preview=${token}"`,
      );
      const served = await get(`${MEDIA_PATH}/${id}?preview=${token}`);
      expect([served.statusCode, served.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect((await get(`${MEDIA_PATH}/${other}?preview=${token}`)).statusCode).toBe(401);
      expect((await get(`${MEDIA_PATH}/${id}?preview=${'x'.repeat(22)}`)).statusCode).toBe(401);
    });

    it('opens no video to visitors', async () => {
      const headers = { authorization: `Bearer ${admin.device.token}` };
      const id = uploadIdOf(
        await uploadFile({ address: await server.listen(), headers, content: MP4, chunkSize: 1_000_000 }),
      );
      await server.post('/v1/admin/media/finish', { id }, admin.device.token);
      await admin.publish(await admin.create('post', aPost(showing(id))));
      expect(await statusesOf(id)).toEqual(HIDDEN);
    });

    it('cannot be published without its picture', async () => {
      expect(await admin.publish(await admin.create('post', aPost(showing(randomUUID()))))).toMatchObject({
        status: 'blocked',
        problems: [{ findings: [{ path: ['content'], code: 'post.picture_elsewhere' }] }],
      });
    });
  });

  it('deletes a picture that no post has had for a month', async () => {
    const [unused, drafted, published] = [await add(aPng(68, 40)), await add(aPng(69, 40)), await add(aPng(70, 40))];
    await admin.create('post', aPost(showing(drafted)));
    await admin.publish(await admin.create('post', aPost(showing(published))));
    server.advanceClock(31 * DAY_MS);
    await createMedia({ db: server.database.db, now: server.now, ...media }).deleteExpired();
    const isStored = async (id: string) => (await media.storage.stat(`media/${id}`)) !== null;
    expect([await isStored(unused), await isStored(drafted), await isStored(published)]).toEqual([false, true, true]);
  });
}
