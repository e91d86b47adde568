import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type AnyContent, mediaAddress } from '@parley/domain';
import { zipSync, type Zippable } from 'fflate';
import { describe, expect, it } from 'vitest';
import { loadPack, readPack, type StoredVideo, writePack, zipPack } from './index.ts';
import type { PackLimits } from './load-pack.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a ZIP from outside', () => {
  const refused = async (files: Zippable | Uint8Array, limits?: PackLimits) => {
    const bytes = files instanceof Uint8Array ? files : zipSync(files);
    const loaded = await loadPack({ bytes }, limits === undefined ? {} : { limits });
    return loaded.ok ? [] : loaded.problems;
  };
  const limits = { files: 3, bytesPerFile: 10_000, bytes: 15_000 };

  it.each([
    '../industries.yaml',
    '/etc/passwd',
    'courses/../../x.yaml',
    'courses\\x.yaml',
    'C:/x.yaml',
    'media/../a.mp4',
  ])('cannot name a file outside the pack: %s', async (name) => {
    expect(await refused({ [name]: text('a: b') })).toMatchObject([{ file: name }]);
  });

  it('is refused when it unpacks to too much', async () => {
    expect(await refused({ 'industries.yaml': new Uint8Array(5_000_000) }, limits)).toMatchObject([
      { file: 'industries.yaml', code: 'file.too_large' },
    ]);
    const small = new Uint8Array(9_000);
    expect(await refused({ 'courses/a.yaml': small, 'courses/b.yaml': small }, limits)).toHaveLength(1);
    const four = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [`courses/${key}.yaml`, text('a')]));
    expect(await refused(four, limits)).toHaveLength(1);
  });

  it('is refused when a file is larger than the ZIP claims', async () => {
    const zipped = Buffer.from(zipSync({ 'industries.yaml': new Uint8Array(5_000_000) }));
    const entry = zipped.indexOf('PK\u0001\u0002', 0, 'latin1');
    zipped.writeUInt32LE(100, entry + 24);
    expect(await refused(zipped, limits)).toMatchObject([{ file: 'industries.yaml', code: 'file.damaged' }]);
  });

  it('is refused when its videos unpack to far more than it has', { tags: ['slow'] }, async () => {
    const bomb = { 'media/a.mp4': new Uint8Array(40_000_000) };
    expect(await refused(bomb)).toMatchObject([{ file: 'media/a.mp4', code: 'pack.too_large' }]);
  });

  it('is refused when files share their bytes', async () => {
    const zipped = Buffer.from(
      zipSync({ 'media/a.mp4': [randomBytes(20_000), { level: 0 }], 'media/b.mp4': [text('b'), { level: 0 }] }),
    );
    const first = zipped.indexOf('PK\u0001\u0002', 0, 'latin1');
    const second = zipped.indexOf('PK\u0001\u0002', first + 4, 'latin1');
    for (const [at, width] of [
      [16, 12],
      [42, 4],
    ] as const)
      zipped.copy(zipped, second + at, first + at, first + at + width);
    expect(await refused(zipped)).toHaveLength(1);
  });

  it('is refused when a file is damaged', async () => {
    const zipped = Buffer.from(zipSync({ 'media/a.mp4': [randomBytes(20_000), { level: 0 }] }));
    zipped.fill(0, 5_000, 5_100);
    expect(await refused(zipped)).toMatchObject([{ file: 'media/a.mp4', code: 'file.damaged' }]);
  });

  it('is refused when it is not a ZIP file', async () => {
    for (const bytes of [text('not a zip'), new Uint8Array()]) expect(await refused(bytes)).toHaveLength(1);
    const whole = await buffer(zipPack(new Map([['industries.yaml', randomBytes(20_000)]])));
    expect(await refused(whole.subarray(0, 10_000))).toHaveLength(1);
  });
});

describe('a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pack-'));

  it('is a pack without foreign files and links', async () => {
    mkdirSync(join(folder, 'media'));
    for (const name of ['industries.yaml', 'notes.txt', 'media/tour.mp4']) writeFileSync(join(folder, name), 'it: IT');
    symlinkSync('/etc/passwd', join(folder, 'media/passwd.mp4'));
    const loaded = await loadPack({ folder });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect([...loaded.files.keys()]).toEqual(['industries.yaml']);
    expect([...loaded.media.keys()]).toEqual(['media/tour.mp4']);
  });
});

describe('a pack with videos', () => {
  const film = randomBytes(300_000);
  const mediaId = randomUUID();
  const stored: StoredVideo = {
    extension: 'mp4',
    fileName: 'Der Rundgang – 1.MP4',
    sha256: hashOf(film),
    cover: { extension: 'png', bytes: PNG },
  };
  const aVideo = (title: string): AnyContent => ({
    kind: 'video',
    id: randomUUID(),
    document: { title, description: 'D', fileUrl: mediaAddress(mediaId), transcript: '', availability: 'ready' },
  });
  const contents = [aVideo('A tour'), aVideo('The same tour')];
  const zip = (files: ReadonlyMap<string, Uint8Array>, content: Buffer = film) =>
    buffer(
      zipPack(
        files,
        new Map([['media/a-tour.mp4', { bytes: content.byteLength, open: async () => Readable.from([content]) }]]),
      ),
    );

  it('has each file once, and names it, its content and its cover', async () => {
    const { files, mediaPathById } = writePack(contents, new Map([[mediaId, stored]]));
    expect([...mediaPathById]).toEqual([[mediaId, 'media/a-tour.mp4']]);
    const loaded = await loadPack({ bytes: await zip(files) });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const { problems, videoById, contents: read } = readPack(loaded.files, loaded.media);
    expect(problems).toEqual([]);
    for (const { id } of contents)
      expect(videoById.get(id)).toEqual({
        file: 'media/a-tour.mp4',
        fileName: stored.fileName,
        bytes: film.byteLength,
        sha256: stored.sha256,
        cover: PNG,
      });
    expect(new Set(read.map(({ document }) => 'fileUrl' in document && document.fileUrl)).size).toBe(1);
  });

  it('is the same to the byte each time it is written', async () => {
    const { files } = writePack(contents, new Map([[mediaId, stored]]));
    expect((await zip(files)).equals(await zip(files))).toBe(true);
  });

  it('is refused with a wrong or missing file, or a cover that is not a picture', async () => {
    const { files } = writePack(contents.slice(0, 1), new Map([[mediaId, stored]]));
    const problemsOf = async (zipped: Buffer) => {
      const loaded = await loadPack({ bytes: zipped });
      return loaded.ok ? readPack(loaded.files, loaded.media).problems : loaded.problems;
    };
    expect(await problemsOf(await zip(files, randomBytes(300_000)))).toMatchObject([
      { file: 'videos/a-tour.yaml', line: expect.any(Number) },
    ]);
    expect(await problemsOf(await buffer(zipPack(files)))).toMatchObject([
      { file: 'videos/a-tour.yaml', code: 'file.missing', values: { file: 'media/a-tour.mp4' } },
    ]);
    const cover = [...files.keys()].find((name) => name.startsWith('covers/')) ?? '';
    for (const bytes of [
      text('no picture'),
      text('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
      Buffer.concat([PNG, Buffer.alloc(600_000)]),
    ])
      expect(await problemsOf(await zip(new Map([...files, [cover, bytes]])))).toHaveLength(1);
  });
});
