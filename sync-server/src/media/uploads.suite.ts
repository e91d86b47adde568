import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, type SQL, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, DatabaseConnection } from '../db/client.ts';
import { media } from '../db/media-tables.ts';
import { auditLog, tables, webSessions } from '../db/tables.ts';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import { MP4, uploadFile, uploadIdOf, type UploadOptions, WEBM } from '../../test-kit/media/media-fixture.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { createMedia } from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_FILE_BYTES = 200_000;
const MAX_TOTAL_BYTES = 300_000;

/** `open` gives each server its own database. */
export function uploadsSuite(open: () => Promise<DatabaseConnection>): void {
  const dir = mkdtempSync(join(tmpdir(), 'parley-uploads-'));
  const uploadsDir = join(dir, 'uploads');
  const options = {
    readFreeBytes: async () => Infinity,
    storage: createFolderStorage(join(dir, 'files')),
    uploadsDir,
    limits: { maxFileBytes: MAX_FILE_BYTES, maxTotalBytes: MAX_TOTAL_BYTES },
  };
  const scene = setUpSchool(open, { media: options });
  let address = '';
  let cookie = '';
  beforeAll(async () => {
    address = await scene.server.listen();
  });
  beforeEach(async () => {
    // An address gets only ten sign-in e-mails a day, and a test may need a second one.
    scene.server.advanceClock(3 * HOUR_MS);
    cookie = await scene.signInBrowser(scene.adminEmail);
    await scene.server.database.db.delete(media);
    rmSync(uploadsDir, { recursive: true, force: true });
    mkdirSync(uploadsDir, { recursive: true });
  });

  const headersOf = (session: string) => ({ cookie: session, 'sec-fetch-site': 'same-origin' });
  const upload = (content: Buffer, change: Partial<UploadOptions> = {}) =>
    uploadFile({ address, content, headers: headersOf(cookie), ...change });
  const finish = (id: string) => scene.askAs(cookie, 'media/finish', { id });
  const rows = () => scene.server.database.db.select().from(media);
  const partials = (): string[] => readdirSync(uploadsDir);

  describe('an upload', () => {
    it.each([
      ['MP4', MP4, 'video/mp4'],
      ['WebM', WEBM, 'video/webm'],
    ])('of a video in %s is kept once it is complete and verified', async (_, content, mediaType) => {
      const sent = await upload(content, { name: 'The office — a tour.exe' });
      expect(sent).toMatchObject({ isComplete: true, sentBytes: content.byteLength });
      const { body } = await finish(uploadIdOf(sent));
      expect(body).toMatchObject({
        status: 'ready',
        media: { fileName: 'The office — a tour.exe', bytes: content.byteLength, mediaType, coverVersion: null },
      });
      expect((body['media'] as { durationS: number }).durationS).toBeCloseTo(1, 0);
      expect(partials()).toEqual([]);
      // A lost response is requested again.
      expect((await finish(uploadIdOf(sent))).body).toEqual(body);
      expect(
        await scene.server.database.db
          .select()
          .from(auditLog)
          .where(eq(auditLog.subjectId, uploadIdOf(sent))),
      ).toMatchObject([
        { act: 'media_uploaded', actorId: scene.adminId, after: { bytes: content.byteLength, type: mediaType } },
      ]);
    });

    it('takes no more space when it is kept in a folder of the same disk', async () => {
      const id = uploadIdOf(await upload(MP4));
      const { ino } = statSync(join(uploadsDir, id));
      expect((await finish(id)).body).toMatchObject({ status: 'ready' });
      const stored = statSync(join(dir, 'files', 'media', id));
      expect(stored.ino).toBe(ino);
      expect(stored.mode & 0o777).toBe(0o600);
      expect(readdirSync(join(dir, 'files', '.incoming'))).toEqual([]);
    });

    it('that was interrupted is continued where it stopped', async () => {
      const first = await upload(MP4, { stopAfter: 4_000 });
      expect(first).toMatchObject({ isComplete: false });
      expect((await finish(uploadIdOf(first))).body).toEqual({ status: 'incomplete' });
      const rest = await upload(MP4, { url: first.url ?? '' });
      expect(rest).toMatchObject({ isComplete: true, url: first.url });
      expect(first.sentBytes + rest.sentBytes).toBe(MP4.byteLength);
      expect((await finish(uploadIdOf(first))).body).toMatchObject({ status: 'ready' });
    });

    it('is continued after the session has ended and the admin has signed in again', async () => {
      const first = await upload(MP4, { stopAfter: 4_000 });
      await scene.server.database.db.delete(webSessions).where(eq(webSessions.userId, scene.adminId));
      expect(await upload(MP4, { url: first.url ?? '' })).toMatchObject({ isComplete: false, status: 401 });
      cookie = await scene.signInBrowser(scene.adminEmail);
      expect(await upload(MP4, { url: first.url ?? '' })).toMatchObject({ isComplete: true, url: first.url });
      expect((await finish(uploadIdOf(first))).body).toMatchObject({ status: 'ready' });
    });

    it('ends when its admin loses the role', async () => {
      const first = await upload(MP4, { stopAfter: 4_000 });
      const setAdmin = (isAdmin: boolean) =>
        scene.server.database.db
          .update(tables.users)
          .set({ isAdmin })
          .where(eq(tables.users.userId, scene.adminId as never));
      await setAdmin(false);
      const refused = await upload(MP4, { url: first.url ?? '' });
      const finished = await finish(uploadIdOf(first));
      await setAdmin(true);
      expect(refused).toMatchObject({ isComplete: false, status: 403, sentBytes: 0 });
      expect(finished).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    });

    it('cannot be continued, finished or deleted by another admin', async () => {
      const first = await upload(MP4, { stopAfter: 4_000 });
      const email = 'other.admin@nordhafen.example';
      const other = await scene.signInBrowser(email);
      await scene.server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.email, email));
      // The client then begins a new upload.
      expect((await upload(MP4, { url: first.url ?? '', headers: headersOf(other) })).url).not.toBe(first.url);
      for (const call of ['media/finish', 'media/cancel'])
        expect(await scene.askAs(other, call, { id: uploadIdOf(first) })).toMatchObject({ status: 400 });
      expect(await upload(MP4, { url: first.url ?? '' })).toMatchObject({ isComplete: true });
    });

    it('can be given up', async () => {
      const first = await upload(MP4, { stopAfter: 4_000 });
      expect(await scene.askAs(cookie, 'media/cancel', { id: uploadIdOf(first) })).toMatchObject({ status: 200 });
      expect(await rows()).toEqual([]);
      expect(partials()).toEqual([]);
    });

    it.runIf(process.platform === 'linux')('that cannot be stored is closed', async () => {
      const id = uploadIdOf(await upload(MP4));
      const openFiles = (): string[] =>
        readdirSync('/proc/self/fd').flatMap((fd) => {
          const path = join('/proc/self/fd', fd);
          return existsSync(path) ? [readlinkSync(path)] : [];
        });
      const full = createMedia({
        ...options,
        db: scene.server.database.db,
        now: scene.server.now,
        storage: {
          ...options.storage,
          link: async () => false,
          async put(_key, body) {
            await once(body, 'readable');
            body.destroy();
            throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          },
        },
      });
      await expect(full.finish(scene.adminId, id)).rejects.toMatchObject({ code: 'storage.full' });
      await expect.poll(() => openFiles().filter((path) => path.includes(id))).toEqual([]);
    });

    it('that is given up while it is being stored leaves no file', async () => {
      const sent = await upload(MP4);
      const id = uploadIdOf(sent);
      const { db } = scene.server.database;
      const { put } = options.storage;
      const slow = createMedia({
        ...options,
        db,
        now: scene.server.now,
        storage: {
          ...options.storage,
          link: async () => false,
          async put(...file) {
            await put(...file);
            expect(await scene.askAs(cookie, 'media/cancel', { id })).toMatchObject({ status: 200 });
          },
        },
      });
      await expect(slow.finish(scene.adminId, id)).rejects.toMatchObject({ code: 'request.invalid' });
      expect(await rows()).toEqual([]);
      expect(await options.storage.stat(`media/${id}`)).toBeNull();
    });

    it('whose file another server has taken away meanwhile is finished', async () => {
      const sent = await upload(MP4);
      const finishOn = (storage: typeof options.storage) =>
        createMedia({ ...options, storage, db: scene.server.database.db, now: scene.server.now }).finish(
          scene.adminId,
          uploadIdOf(sent),
        );
      const late = {
        ...options.storage,
        link: async () => false,
        put: async () => {
          await finishOn(options.storage);
          throw new Error('ENOENT: no such file or directory');
        },
      };
      expect(await finishOn(late)).toMatchObject({ status: 'ready' });
      expect(await options.storage.stat(`media/${uploadIdOf(sent)}`)).toMatchObject({ bytes: MP4.byteLength });
    });

    it('that another server finished before its file was looked at is finished', async () => {
      const id = uploadIdOf(await upload(MP4));
      const { db } = scene.server.database;
      const finishOn = (database: Database) =>
        createMedia({ ...options, db: database, now: scene.server.now }).finish(scene.adminId, id);
      const late = {
        select: () => ({
          from: (table: typeof media) => ({
            async where(condition: SQL) {
              const found = await db.select().from(table).where(condition);
              if (found[0]?.state === 'uploading') await finishOn(db);
              return found;
            },
          }),
        }),
      };
      expect(await finishOn(late as unknown as Database)).toMatchObject({ status: 'ready', media: { id } });
    });

    it('that two servers finish at the same time is kept once', async () => {
      const sent = await upload(MP4);
      const both = [1, 2].map(() =>
        createMedia({ ...options, db: scene.server.database.db, now: scene.server.now }).finish(
          scene.adminId,
          uploadIdOf(sent),
        ),
      );
      expect(await Promise.all(both)).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
      expect(await options.storage.stat(`media/${uploadIdOf(sent)}`)).toMatchObject({ bytes: MP4.byteLength });
    });

    it.each([
      ['HTML', '<!doctype html><script>alert(1)</script>', 'not_video'],
      ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'not_video'],
      ['a PDF', '%PDF-1.7 and more', 'not_video'],
      ['text', 'just words', 'not_video'],
      ['QuickTime', Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypqt  \0\0\0\0qt  ')]), 'unsupported'],
      ['a video that was cut off', MP4.subarray(0, 40), 'damaged'],
    ])('of %s under the name of a video is refused and deleted', async (_, content, reason) => {
      const sent = await upload(Buffer.from(content), { name: 'video.mp4' });
      expect(await finish(uploadIdOf(sent))).toMatchObject({ status: 200, body: { status: 'refused', reason } });
      expect(await rows()).toEqual([]);
      expect(partials()).toEqual([]);
    });
  });

  describe('limits', () => {
    const announce = (bytes: number | string) =>
      fetch(`${address}/v1/admin/uploads`, {
        method: 'POST',
        headers: { ...headersOf(cookie), 'tus-resumable': '1.0.0', 'upload-length': String(bytes) },
      });

    it('refuse a file that is too large before it is sent', async () => {
      const answer = await announce(MAX_FILE_BYTES + 1);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ code: 'request.too_large' });
      expect((await announce(5_000_000_000)).status).toBe(413);
      expect(await rows()).toEqual([]);
    });

    it('count uploads that are under way, also when several begin at once', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => announce(140_000)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 507]);
      expect(await scene.askAs(cookie, 'media/usage', {})).toMatchObject({
        body: { usedBytes: 280_000, maxFileBytes: MAX_FILE_BYTES, maxTotalBytes: MAX_TOTAL_BYTES },
      });
    });

    it.each(['-1', '0', '1.5', 'much', '1e5', ''])('refuse the length "%s"', async (length) => {
      const { status } = await announce(length);
      expect(status).toBe(400);
      expect(await rows()).toEqual([]);
    });

    it('refuse bytes beyond the announced size', async () => {
      const location = (await announce(10)).headers.get('location') ?? '';
      const send = (offset: number, body: string) =>
        fetch(`${address}${location}`, {
          method: 'PATCH',
          headers: {
            ...headersOf(cookie),
            'tus-resumable': '1.0.0',
            'content-type': 'application/offset+octet-stream',
            'upload-offset': String(offset),
          },
          body,
        });
      expect((await send(0, 'more than ten')).status).toBe(413);
      expect((await send(5, 'late')).status).toBe(409);
      expect((await send(0, 'five.')).status).toBe(204);
    });
  });

  it('deletes uploads unfinished for a week, and files unused for a month', async () => {
    const { db } = scene.server.database;
    const expiry = createMedia({ db, now: scene.server.now, ...options });
    const [abandoned, unused] = [await upload(MP4, { stopAfter: 4_000 }), await upload(WEBM)];
    await finish(uploadIdOf(unused));
    scene.server.advanceClock(6 * DAY_MS);
    expect(await expiry.deleteExpired()).toEqual({ uploads: 0, files: 0 });
    scene.server.advanceClock(2 * DAY_MS);
    expect(await expiry.deleteExpired()).toEqual({ uploads: 1, files: 0 });
    expect(partials().join(' ')).not.toContain(uploadIdOf(abandoned));
    scene.server.advanceClock(23 * DAY_MS);
    expect(await expiry.deleteExpired()).toEqual({ uploads: 0, files: 1 });
    expect(await rows()).toEqual([]);
    expect(await options.storage.stat(`media/${uploadIdOf(unused)}`)).toBeNull();
  });

  it('keeps an old file that a document gets while others are deleted', async () => {
    const { db } = scene.server.database;
    const ids = [uploadIdOf(await upload(MP4)), uploadIdOf(await upload(WEBM))];
    for (const id of ids) await finish(id);
    scene.server.advanceClock(32 * DAY_MS);
    let kept: string | undefined;
    const expiry = createMedia({
      ...options,
      db,
      now: scene.server.now,
      storage: {
        ...options.storage,
        async delete(key) {
          if (kept === undefined) {
            kept = ids.find((id) => !key.endsWith(id)) ?? '';
            await db.execute(sql`
              insert into videos (video_id, title, description, file_url, transcript, availability, created_at, updated_at, sync_version)
              values (${kept}, '', '', ${`/media/${kept}`}, '', 'ready', now(), now(), 1)`);
          }
          await options.storage.delete(key);
        },
      },
    });
    expect(await expiry.deleteExpired()).toEqual({ uploads: 0, files: 1 });
    expect((await rows()).map(({ id }) => id)).toEqual([kept]);
    expect(await options.storage.stat(`media/${kept}`)).not.toBeNull();
    await db.execute(sql`delete from videos where video_id = ${kept}`);
  });

  it.each([
    ['POST', '/v1/admin/uploads'],
    ['PATCH', '/v1/admin/uploads/0b8f9d4e-6c1f-4f0e-9a9e-1c1f0a3d5b7e'],
    ['HEAD', '/v1/admin/uploads/0b8f9d4e-6c1f-4f0e-9a9e-1c1f0a3d5b7e'],
  ])('%s %s refuses learners, strangers and other sites', async (method, path) => {
    const learner = await scene.signInBrowser('learner@nordhafen.example');
    const status = async (headers: Record<string, string>) =>
      (
        await fetch(`${address}${path}`, {
          method,
          headers: {
            'tus-resumable': '1.0.0',
            'upload-length': '10',
            'upload-offset': '0',
            'content-type': 'application/offset+octet-stream',
            ...headers,
          },
          ...(method === 'PATCH' && { body: 'x' }),
        })
      ).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Bearer x' })).toBe(401);
    expect(await status(headersOf(learner))).toBe(403);
    if (method !== 'HEAD') expect(await status({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await rows()).toEqual([]);
  });
}
