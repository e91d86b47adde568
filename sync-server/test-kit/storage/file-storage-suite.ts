/** The behaviour that every storage must have, wherever it keeps the files. */
import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { ByteRange, FileStorage } from '../../src/ports/storage/file-storage.ts';

export function fileStorageSuite(storage: () => FileStorage): void {
  const put = (key: string, content: Buffer, bytes = content.byteLength) =>
    storage().put(key, Readable.from([content.subarray(0, 10), content.subarray(10)]), {
      bytes,
      mediaType: 'video/mp4',
    });
  const read = async (...asked: Parameters<FileStorage['get']>): Promise<Buffer | null> => {
    const found = await storage().get(...asked);
    return found === null ? null : buffer(found);
  };
  const aKey = (): string => `media/${randomUUID()}`;

  it('returns the stored content, whole and in ranges', async () => {
    const [key, content] = [aKey(), randomBytes(100_000)];
    await put(key, content);
    const isSame = async (range?: ByteRange): Promise<boolean> =>
      (await read(key, range))?.equals(content.subarray(range?.start ?? 0, (range?.end ?? Infinity) + 1)) === true;
    expect(await isSame()).toBe(true);
    expect(await isSame({ start: 0, end: 9 })).toBe(true);
    expect(await isSame({ start: 5, end: 5 })).toBe(true);
    expect(await isSame({ start: 99_990, end: 99_999 })).toBe(true);
    expect(await storage().stat(key)).toMatchObject({ key, bytes: 100_000, modifiedAt: expect.any(Date) });
  });

  it('replaces a file', async () => {
    const key = aKey();
    await put(key, Buffer.from('the former content'));
    await put(key, Buffer.from('the new content'));
    expect(await read(key)).toEqual(Buffer.from('the new content'));
  });

  it('knows nothing about a file that was not put or was deleted', async () => {
    const key = aKey();
    await put(key, Buffer.from('a file to delete'));
    await storage().delete(key);
    await storage().delete(key);
    for (const missing of [key, aKey()]) {
      expect(await read(missing)).toBeNull();
      expect(await storage().stat(missing)).toBeNull();
    }
  });

  it('keeps nothing of a file that was cut off', async () => {
    const key = aKey();
    await expect(put(key, Buffer.from('only a part of it'), 1_000)).rejects.toThrow();
    // The server of the S3 tests removes the part a moment after the connection ended.
    await expect.poll(() => storage().stat(key)).toBeNull();
  });

  it('lists by prefix, in order', async () => {
    const folder = `recordings/${randomUUID()}`;
    for (const name of ['b', 'a', 'c.wav', 'inner/d'])
      await put(`${folder}/${name}`, Buffer.from(`content of ${name}`));
    await put(`recordings/${randomUUID()}/e`, Buffer.from('not in the folder'));
    const keys: string[] = [];
    for await (const { key, bytes } of storage().list(`${folder}/`)) {
      keys.push(key.slice(folder.length + 1));
      expect(bytes).toBeGreaterThan(10);
    }
    expect(keys).toEqual(['a', 'b', 'c.wav', 'inner/d']);
  });

  it.each([
    '',
    '/etc/passwd',
    '../secret',
    'media/../../secret',
    'media//x',
    'media/.',
    'a\\b',
    'ünsere',
    'x'.repeat(201),
  ])('refuses the key "%s"', async (key) => {
    await expect(put(key, Buffer.from('some content'))).rejects.toThrow('invalid storage key');
    await expect(storage().get(key)).rejects.toThrow('invalid storage key');
  });
}
