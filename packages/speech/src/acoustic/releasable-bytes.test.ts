import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readReleasable, unpackReleasable } from './releasable-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-bytes-'));
const fileOf = (name: string, content: Uint8Array): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const content = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * at) % 251);

describe('releasable bytes', () => {
  it('have the content of the file, packed or not, and are empty once released', async () => {
    for (const read of [
      await readReleasable(fileOf('plain', content)),
      await unpackReleasable(fileOf('packed', brotliCompressSync(content))),
    ]) {
      expect(Buffer.compare(read.bytes, content)).toBe(0);
      read.release();
      expect(read.bytes.length).toBe(0);
    }
  });

  it('can be empty', async () => {
    expect((await readReleasable(fileOf('empty', new Uint8Array()))).bytes.length).toBe(0);
  });

  it('fail for a file that is missing or damaged', async () => {
    await expect(readReleasable(join(folder, 'missing'))).rejects.toThrow('ENOENT');
    await expect(unpackReleasable(join(folder, 'missing'))).rejects.toThrow('ENOENT');
    await expect(unpackReleasable(fileOf('damaged', content.subarray(0, 100)))).rejects.toThrow(/decompress|BROTLI/i);
  });
});
