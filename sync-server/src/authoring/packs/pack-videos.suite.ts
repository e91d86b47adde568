import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zipPack } from '@parley/catalogue/pack';
import { MEDIA_PATH, mediaIdOf, type VideoDocument } from '@parley/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { media } from '../../db/media-tables.ts';
import { createFolderStorage } from '../../integrations/folder-storage/index.ts';
import {
  aCoachDocument,
  aCourseDocument,
  aPracticeDocument,
  type ContentAdmin,
  openContentAdmin,
} from '../../../test-kit/content/content-fixture.ts';
import { aPng, withWidth } from '../../../test-kit/media/a-png.ts';
import { MP4, uploadFile, uploadIdOf, WEBM } from '../../../test-kit/media/media-fixture.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MAX_FILE_BYTES = 400_000;
const MAX_TOTAL_BYTES = 500_000;

/** A Matroska `Void` element (RFC 9559, section 4.3.2): `bytes` random bytes that every parser skips. */
function voidElement(bytes: number): Buffer {
  const header = Buffer.alloc(9, 0xec);
  header.writeBigUInt64BE((1n << 56n) | BigInt(bytes), 1);
  return Buffer.concat([header, randomBytes(bytes)]);
}

interface School {
  server: TestServer;
  admin: ContentAdmin;
  address: string;
  /** The files in the school's folders. */
  files: () => string[];
  upload: (content: Buffer, name: string) => Promise<string>;
  call: (name: string, input: object) => Promise<unknown>;
  fetchMedia: (path: string) => Promise<Buffer>;
}

/** `open` gives each server its own database. */
export function packVideosSuite(open: () => Promise<DatabaseConnection>): void {
  const dir = mkdtempSync(join(tmpdir(), 'parley-pack-videos-'));
  const schools: School[] = [];
  async function openSchool(failsToStore = false): Promise<School> {
    const folder = join(dir, randomUUID());
    const storage = createFolderStorage(join(folder, 'files'));
    const server = await startServer(await open(), {
      media: {
        storage: failsToStore
          ? { ...storage, link: async () => false, put: () => Promise.reject(new Error('the disk is full')) }
          : storage,
        uploadsDir: join(folder, 'uploads'),
        limits: { maxFileBytes: MAX_FILE_BYTES, maxTotalBytes: MAX_TOTAL_BYTES },
      },
    });
    const address = await server.listen();
    const admin = await openContentAdmin(server);
    const headers = { authorization: `Bearer ${admin.device.token}` };
    const school: School = {
      server,
      admin,
      address,
      files: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name),
      upload: async (content, name) =>
        uploadIdOf(await uploadFile({ address, headers, content, name, chunkSize: 1_000_000 })),
      call: async (name, input) => (await server.post(`/v1/admin/media/${name}`, input, admin.device.token)).body,
      fetchMedia: async (path) => (await server.app.inject({ url: `${MEDIA_PATH}/${path}`, headers })).rawPayload,
    };
    schools.push(school);
    return school;
  }
  afterAll(async () => {
    for (const { server } of schools) await server.close();
  });

  const ids = {
    coach: randomUUID(),
    practice: randomUUID(),
    course: randomUUID(),
    mp4: randomUUID(),
    webm: randomUUID(),
  };
  const aVideo = (fileUrl: string, change: Partial<VideoDocument> = {}): VideoDocument => ({
    title: 'A tour of the office',
    description: 'Where everything is.',
    fileUrl,
    transcript: 'WEBVTT\n\n00:00.000 --> 00:01.000\nWelcome.',
    availability: 'ready',
    ...change,
  });
  let from: School;
  beforeAll(async () => {
    from = await openSchool();
    const { admin, upload, call } = from;
    await admin.create('coach', aCoachDocument(), ids.coach);
    await admin.create('practice', aPracticeDocument(ids.coach), ids.practice);
    for (const [key, content, name] of [
      ['mp4', MP4, 'Der Rundgang – 1.MP4'],
      ['webm', WEBM, 'tour.webm'],
    ] as const) {
      const id = await upload(content, name);
      expect(await call('finish', { id })).toMatchObject({ status: 'ready' });
      if (key === 'mp4') await call('save-cover', { id, picture: PNG });
      await admin.create('video', aVideo(`${MEDIA_PATH}/${id}`), ids[key]);
    }
    const items = (['mp4', 'webm'] as const).map((key) => ({ kind: 'video' as const, itemId: ids[key] }));
    await admin.create('course', aCourseDocument([...items, { kind: 'practice', itemId: ids.practice }]), ids.course);
    const all = await Promise.all(
      (['coach', 'practice', 'course'] as const).map((kind) => admin.read(kind, ids[kind])),
    );
    const videos = await Promise.all((['mp4', 'webm'] as const).map((key) => admin.read('video', ids[key])));
    expect(await admin.publish(...all, ...videos)).toMatchObject({ status: 'published' });
  });

  const query = `?kind=course&id=${ids.course}`;
  const fileUrlOf = async ({ admin }: School, id: string): Promise<string> =>
    ((await admin.read('video', id)).document as VideoDocument).fileUrl;

  describe('a course with videos', () => {
    it('goes to another server and back unchanged to the byte', async () => {
      const to = await openSchool();
      const pack = await from.admin.exportPack(query);
      expect((await to.admin.previewPack(pack)).problems).toEqual([]);
      expect(await to.server.database.db.$count(media)).toBe(0);
      expect(await to.admin.importPack(pack, { publish: true })).toEqual({
        status: 'imported',
        changed: 5,
        published: 5,
      });
      for (const [key, content] of [
        ['mp4', MP4],
        ['webm', WEBM],
      ] as const) {
        const id = mediaIdOf(await fileUrlOf(to, ids[key])) ?? '';
        expect((await to.fetchMedia(id)).equals(content)).toBe(true);
      }
      const covered = mediaIdOf(await fileUrlOf(to, ids.mp4)) ?? '';
      expect(await to.call('read', { id: covered })).toMatchObject({ media: { fileName: 'Der Rundgang – 1.MP4' } });
      expect(`data:image/png;base64,${(await to.fetchMedia(`${covered}/cover`)).toString('base64')}`).toBe(PNG);

      const back = await to.admin.exportPack(query);
      expect(Buffer.from(back).equals(Buffer.from(pack))).toBe(true);
      const before = from.files();
      expect(await from.admin.importPack(back, { publish: true })).toEqual({
        status: 'imported',
        changed: 0,
        published: 0,
      });
      expect(from.files()).toEqual(before);
      expect(Buffer.from(await from.admin.exportPack(query)).equals(Buffer.from(pack))).toBe(true);
    });

    it('is uploaded in pieces when it is large', async () => {
      const to = await openSchool();
      const content = Buffer.from(await from.admin.exportPack(query));
      const pack = { upload: await to.upload(content, 'pack.zip') };
      expect((await to.admin.previewPack(pack)).problems).toEqual([]);
      expect(await to.admin.importPack(pack)).toMatchObject({ status: 'imported', changed: 5 });
      await to.call('cancel', { id: pack.upload });
      expect(await to.server.database.db.$count(media)).toBe(2);
      await expect(to.admin.previewPack(pack)).rejects.toThrow('400');
      const other = await openContentAdmin(to.server);
      const foreign = { upload: await to.upload(content, 'pack.zip') };
      await expect(other.importPack(foreign)).rejects.toThrow('400');
      // The upload is a pack and not a video, so finishing it as a video is refused.
      expect(await to.call('finish', { id: foreign.upload })).toMatchObject({ status: 'refused', reason: 'not_video' });
    });

    it('shows a changed cover, and takes it over', async () => {
      const to = await openSchool();
      await to.admin.importPack(await from.admin.exportPack(query));
      const id = mediaIdOf(await fileUrlOf(to, ids.mp4)) ?? '';
      const other = await buffer(Readable.from([Buffer.from(PNG.split(',')[1] ?? '', 'base64'), Buffer.from('more')]));
      await to.call('save-cover', { id, picture: `data:image/png;base64,${other.toString('base64')}` });
      const pack = await from.admin.exportPack(query);
      const { contents } = await to.admin.previewPack(pack);
      expect(contents.filter(({ change }) => change !== 'same')).toMatchObject([{ id: ids.mp4, changes: [['cover']] }]);
      expect(await to.admin.importPack(pack)).toMatchObject({ changed: 1 });
      expect(`data:image/png;base64,${(await to.fetchMedia(`${id}/cover`)).toString('base64')}`).toBe(PNG);
    });
  });

  describe('a video in a pack', () => {
    const packOf = (name: string, content: Buffer, more: Record<string, string | Uint8Array> = {}) =>
      buffer(
        zipPack(
          new Map(
            Object.entries({
              'videos/a.yaml': `title: A\ndescription: D\nfile: media/${name}\ntranscript: T\n`,
              ...more,
            }).map(([file, text]) => [file, typeof text === 'string' ? new TextEncoder().encode(text) : text]),
          ),
          new Map([[`media/${name}`, { bytes: content.byteLength, open: async () => Readable.from([content]) }]]),
        ),
      );
    let to: School;
    beforeAll(async () => {
      to = await openSchool();
    });

    it.each([
      ['is none', 'a.mp4', Buffer.from('MZ this is a program'.repeat(50))],
      ['is a picture', 'a.mp4', Buffer.from(PNG.split(',')[1] ?? '', 'base64')],
      ['is cut off', 'a.mp4', MP4.subarray(0, 600)],
      ['is of another type than its name says', 'a.webm', MP4],
      ['is too large', 'a.mp4', Buffer.concat([MP4, randomBytes(MAX_FILE_BYTES)])],
    ])('that %s is refused, and leaves nothing', async (_, name, content) => {
      const pack = await packOf(name, content);
      for (const result of [await to.admin.previewPack(pack), await to.admin.importPack(pack)])
        expect(result).toMatchObject({ problems: [{ file: `media/${name}` }] });
      expect(to.files()).toEqual([]);
      expect(await to.server.database.db.$count(media)).toBe(0);
    });

    const HUGE = withWidth(aPng(1, 30_000), 30_000);
    it.each([
      [
        'its cover',
        'videos/a.yaml',
        'title: A\ndescription: D\nfile: media/a.mp4\ncover: huge.png\ntranscript: T\n',
        'covers',
      ],
      [
        'the portrait of a coach',
        'coaches/b.yaml',
        'name: B\nstyle: Calm\nskills: []\ntraits: []\navatar: huge.png\n',
        'avatars',
      ],
    ])('is refused with a picture that would unpack to gigabytes: %s', async (_what, document, text, folder) => {
      const pack = await packOf('a.mp4', MP4, { [document]: text, [`${folder}/huge.png`]: HUGE });
      for (const result of [await to.admin.previewPack(pack), await to.admin.importPack(pack)])
        expect(result).toMatchObject({
          problems: expect.arrayContaining([
            expect.objectContaining({ file: `${folder}/huge.png`, code: 'file.damaged' }),
          ]),
        });
      expect(to.files()).toEqual([]);
    });

    it('is not kept when the rest of the pack is refused', async () => {
      const course = `title: Broken\ndescription: D\nstatus: available\nsections:\n  - title: S\n    description: D\n    practices: [${randomUUID()}]\n`;
      const pack = await packOf('a.mp4', MP4, { 'courses/broken.yaml': course });
      expect(await to.admin.importPack(pack, { publish: true })).toMatchObject({
        status: 'refused',
        problems: [{ file: 'courses/broken.yaml' }],
      });
      expect(to.files()).toEqual([]);
      expect(await to.server.database.db.$count(media)).toBe(0);
    });

    it('is not kept when the storage fails', async () => {
      const broken = await openSchool(true);
      await expect(broken.admin.importPack(await packOf('a.mp4', MP4))).rejects.toThrow('500');
      expect(broken.files()).toEqual([]);
      expect(await broken.server.database.db.$count(media)).toBe(0);
      expect(await broken.admin.call('list', { kind: 'video' })).toMatchObject({ total: 0 });
    });

    it('is refused when the school has no room left', async () => {
      const full = await openSchool();
      // Bare random bytes would be parsed as further elements, some of which would make the video invalid.
      const padded = (bytes: number): Buffer => Buffer.concat([WEBM, voidElement(bytes)]);
      const first = await packOf('a.webm', padded(300_000));
      expect(await full.admin.importPack(first)).toMatchObject({ status: 'imported' });
      const second = await packOf('b.webm', padded(310_000), {
        'videos/a.yaml': 'title: B\ndescription: D\nfile: media/b.webm\ntranscript: T\n',
      });
      expect(await full.admin.previewPack(second)).toMatchObject({ problems: [{ file: 'media/b.webm' }] });
      // Importing the first pack again needs no more room.
      expect(await full.admin.importPack(first)).toMatchObject({ changed: 0 });
    });
  });
}
