import { randomUUID } from 'node:crypto';
import { MEDIA_PATH } from '@parley/domain';
import { isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { aPng, toAddress, withWidth } from '../../test-kit/media/a-png.ts';
import { MP4, uploadFile, uploadIdOf } from '../../test-kit/media/media-fixture.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** `open` gives each server its own database. */
export function mediaFilesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  let learner: TestDevice;
  let id = '';
  beforeAll(async () => {
    server = await startServer(await open());
    admin = await openContentAdmin(server);
    learner = await registerDevice(server);
    const headers = { authorization: `Bearer ${admin.device.token}` };
    id = uploadIdOf(await uploadFile({ address: await server.listen(), headers, content: MP4, chunkSize: 1_000_000 }));
    await call('finish', { id });
  });
  afterAll(() => server.close());

  const call = (name: string, input: object, { token }: TestDevice = admin.device) =>
    server.post(`/v1/admin/media/${name}`, input, token);
  const get = (
    by: TestDevice | null,
    { path = '', headers = {}, method = 'GET' }: { path?: string; headers?: object; method?: 'GET' | 'HEAD' } = {},
  ) =>
    server.app.inject({
      method,
      url: `${MEDIA_PATH}/${id}${path}`,
      headers: { ...(by === null ? {} : { authorization: `Bearer ${by.token}` }), ...headers },
    });
  const aVideo = (change: object = {}) => ({
    title: 'A tour of the office',
    description: 'Where everything is.',
    fileUrl: `${MEDIA_PATH}/${id}`,
    transcript: '',
    availability: 'ready',
    ...change,
  });

  describe('a video that is not published', () => {
    beforeEach(async () => {
      const { videos } = tables;
      const { db } = server.database;
      await db.update(videos).set({ deletedAt: server.now() }).where(isNull(videos.deletedAt));
    });

    const statuses = async () => [
      (await get(null)).statusCode,
      (await get(learner)).statusCode,
      (await get(admin.device)).statusCode,
    ];

    it('is served to admins only', async () => {
      expect(await statuses()).toEqual([401, 404, 200]);
      const draft = await admin.create('video', aVideo());
      expect(await statuses()).toEqual([401, 404, 200]);
      expect(await admin.publish(draft)).toMatchObject({ status: 'published' });
      expect(await statuses()).toEqual([401, 200, 200]);
      const withdrawn = await admin.call('withdraw', {
        kind: 'video',
        id: draft.id,
        revision: (await admin.read('video', draft.id)).revision,
      });
      expect(withdrawn).toMatchObject({ status: 'saved' });
      expect(await statuses()).toEqual([401, 404, 200]);
    });

    it('includes one that is still to come', async () => {
      const video = await admin.create('video', aVideo({ availability: 'not_ready' }));
      expect(await admin.publish(video)).toMatchObject({ status: 'published' });
      expect(await statuses()).toEqual([401, 404, 200]);
    });

    it('is indistinguishable from one that does not exist', async () => {
      const unknown = await server.app.inject({
        url: `${MEDIA_PATH}/${randomUUID()}`,
        headers: { authorization: `Bearer ${learner.token}` },
      });
      expect((await get(learner)).json()).toEqual(unknown.json());
    });
  });

  describe('a published video', () => {
    beforeAll(async () => {
      await admin.publish(await admin.create('video', aVideo()));
    });

    it('is served with its own type, and runs no code', async () => {
      const { rawPayload, headers, statusCode } = await get(learner);
      expect(statusCode).toBe(200);
      expect(rawPayload.equals(MP4)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'video/mp4',
        'content-length': String(MP4.byteLength),
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=31536000, immutable',
      });
      expect(headers['content-encoding']).toBeUndefined();
    });

    it.each([
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=1000-', 1_000, MP4.byteLength - 1],
      ['bytes=-50', MP4.byteLength - 50, MP4.byteLength - 1],
      ['bytes=10-99999999', 10, MP4.byteLength - 1],
    ])('is served in parts: %s', async (range, from, to) => {
      const { statusCode, headers, rawPayload } = await get(learner, { headers: { range } });
      expect(statusCode).toBe(206);
      expect(headers['content-range']).toBe(`bytes ${from}-${to}/${MP4.byteLength}`);
      expect(rawPayload.equals(MP4.subarray(from, to + 1))).toBe(true);
    });

    it('is served whole for an invalid range, and answers 416 beyond its end', async () => {
      for (const range of ['bytes', 'lines=1-2', 'bytes=5-2,x', 'bytes=0-1,5-6'])
        expect((await get(learner, { headers: { range } })).rawPayload.byteLength).toBe(MP4.byteLength);
      const beyond = await get(learner, { headers: { range: `bytes=${MP4.byteLength}-` } });
      expect(beyond).toMatchObject({ statusCode: 416, payload: '' });
      expect(beyond.headers['content-range']).toBe(`bytes */${MP4.byteLength}`);
    });

    it('is not sent again to a reader who has it', async () => {
      const { etag = '' } = (await get(learner)).headers;
      expect(await get(learner, { headers: { 'if-none-match': `"x", ${etag}` } })).toMatchObject({
        statusCode: 304,
        payload: '',
      });
      const part = (ifRange: string) => get(learner, { headers: { range: 'bytes=0-9', 'if-range': ifRange } });
      expect((await part(etag)).statusCode).toBe(206);
      expect((await part('"x"')).statusCode).toBe(200);
    });

    it('is described without its content', async () => {
      const { headers, payload, statusCode } = await get(learner, { method: 'HEAD' });
      expect({ statusCode, payload }).toEqual({ statusCode: 200, payload: '' });
      expect(headers['content-length']).toBe(String(MP4.byteLength));
    });

    it('has the cover that an admin has chosen', async () => {
      expect((await get(learner, { path: '/cover' })).statusCode).toBe(404);
      const { body } = await call('save-cover', { id, picture: PNG });
      expect(body).toMatchObject({ media: { coverVersion: expect.any(String) } });
      const { headers, rawPayload } = await get(learner, { path: '/cover' });
      expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'private, no-cache' });
      expect(rawPayload.toString('base64')).toBe(PNG.split(',')[1]);
      for (const picture of [
        '',
        'data:image/svg+xml;utf8,<svg/>',
        `data:image/png;base64,${Buffer.from('<!doctype html><script>alert(1)</script>').toString('base64')}`,
        `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
        `${PNG}${'A'.repeat(690_000)}`,
        // A few kilobytes that every learner's app would unpack to gigabytes.
        toAddress(withWidth(aPng(1, 30_000), 30_000)),
      ])
        expect(await call('save-cover', { id, picture })).toMatchObject({ status: 400 });
      expect((await call('save-cover', { id: randomUUID(), picture: PNG })).status).toBe(400);
    });
  });

  it('cannot be published when its file is on another server', async () => {
    const video = await admin.create('video', aVideo({ fileUrl: `${MEDIA_PATH}/${randomUUID()}` }));
    expect(await admin.publish(video)).toMatchObject({
      status: 'blocked',
      problems: [{ findings: [{ path: ['fileUrl'], code: 'video.file_elsewhere' }] }],
    });
  });

  it.each(['x', '../uploads/x', '%2e%2e%2fx', '', '0'.repeat(36)])('finds nothing at /media/%s', async (path) => {
    const headers = { authorization: `Bearer ${admin.device.token}` };
    expect((await server.app.inject({ url: `${MEDIA_PATH}/${path}`, headers })).statusCode).toBe(404);
  });
}
