import { mkdtempSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { media } from '../db/media-tables.ts';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import { MP4, uploadFile, uploadIdOf, type UploadOptions } from '../../test-kit/media/media-fixture.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { createMedia, createMediaTransfer } from './index.ts';

const HOUR_MS = 3_600_000;
const SPARE_BYTES = 512 * 1_048_576;

/** Uploads to a disk that has little room. */
export function fullDiskSuite(open: () => Promise<DatabaseConnection>): void {
  const dir = mkdtempSync(join(tmpdir(), 'parley-full-disk-'));
  const uploadsDir = join(dir, 'uploads');
  let freeBytes = Infinity;
  const options = {
    storage: createFolderStorage(join(dir, 'files')),
    uploadsDir,
    limits: { maxFileBytes: 200_000, maxTotalBytes: 1_000_000 },
    readFreeBytes: async () => freeBytes,
  };
  const scene = setUpSchool(open, { media: options });
  let address = '';
  let headers: Record<string, string> = {};
  beforeAll(async () => {
    address = await scene.server.listen();
    headers = { cookie: await scene.signInBrowser(scene.adminEmail), 'sec-fetch-site': 'same-origin' };
  });
  beforeEach(async () => {
    freeBytes = Infinity;
    await scene.server.database.db.delete(media);
  });

  const upload = (content: Buffer, change: Partial<UploadOptions> = {}) =>
    uploadFile({ address, content, headers, ...change });
  const announce = (bytes: number) =>
    fetch(`${address}/v1/admin/uploads`, {
      method: 'POST',
      headers: { ...headers, 'tus-resumable': '1.0.0', 'upload-length': String(bytes) },
    });
  const rows = () => scene.server.database.db.select().from(media);
  const partials = (): string[] => readdirSync(uploadsDir);

  it('refuses an upload for which the disk has too little room, beside those that are under way', async () => {
    freeBytes = SPARE_BYTES + 150_000;
    const answer = await announce(160_000);
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ code: 'storage.full', data: { detail: 'disk' } });
    expect(await rows()).toEqual([]);
    expect((await announce(100_000)).status).toBe(201);
    expect((await announce(100_000)).status).toBe(507);
  });

  it('pauses an upload while the disk is nearly full', async () => {
    const first = await upload(MP4, { stopAfter: 4_000 });
    freeBytes = SPARE_BYTES - 1;
    expect(await upload(MP4, { url: first.url ?? '' })).toMatchObject({ status: 507, sentBytes: 0 });
    freeBytes = Infinity;
    expect(await upload(MP4, { url: first.url ?? '' })).toMatchObject({ isComplete: true, url: first.url });
  });

  it('gives the room of an upload that stopped a day ago to a new one', async () => {
    const [stopped, current] = [await upload(MP4, { stopAfter: 4_000 }), await upload(MP4, { stopAfter: 4_000 })];
    const yesterday = new Date(Date.now() - 25 * HOUR_MS);
    utimesSync(join(uploadsDir, uploadIdOf(stopped)), yesterday, yesterday);
    const other = await upload(MP4, { stopAfter: 4_000 });
    expect((await rows()).length).toBe(3);
    freeBytes = SPARE_BYTES + 4_000 + 2 * (MP4.byteLength - 4_000);
    expect((await announce(4_000)).status).toBe(201);
    const ids = (await rows()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([uploadIdOf(current), uploadIdOf(other)]));
    expect(ids).not.toContain(uploadIdOf(stopped));
    expect(partials().join(' ')).not.toContain(uploadIdOf(stopped));
  });

  it('deletes an upload that stopped a day ago when the disk is nearly full', async () => {
    const { db } = scene.server.database;
    const expiry = createMedia({ db, now: scene.server.now, ...options });
    const [stopped, current] = [await upload(MP4, { stopAfter: 4_000 }), await upload(MP4, { stopAfter: 4_000 })];
    const yesterday = new Date(Date.now() - 25 * HOUR_MS);
    utimesSync(join(uploadsDir, uploadIdOf(stopped)), yesterday, yesterday);
    expect(await expiry.deleteExpired()).toEqual({ uploads: 0, files: 0 });
    freeBytes = SPARE_BYTES - 1;
    expect(await expiry.deleteExpired()).toEqual({ uploads: 1, files: 0 });
    expect((await rows()).map(({ id }) => id)).toEqual([uploadIdOf(current)]);
  });

  it('does not unpack a video of a pack for which the disk has too little room', async () => {
    const { db } = scene.server.database;
    const transfer = createMediaTransfer({ db, now: scene.server.now, ...options });
    freeBytes = SPARE_BYTES + MP4.byteLength - 1;
    const before = partials();
    const receive = () => transfer.receive(asChunks(MP4), { bytes: MP4.byteLength });
    await expect(receive()).rejects.toMatchObject({ code: 'storage.full' });
    expect(partials()).toEqual(before);
    freeBytes += 1;
    expect(await receive()).toMatchObject({ ok: true });
  });
}

async function* asChunks(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
