import { zipSync } from 'fflate';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { aDataFolder } from '../test-kit/open-host.ts';
import { zipOfManyFiles } from '../test-kit/zip-of-many-files.ts';
import { readZip, type ZipReader } from './zip-reader.ts';
import { writeZip } from './zip-writer.ts';

const handles: FileHandle[] = [];
afterEach(async () => {
  for (const handle of handles.splice(0)) await handle.close();
});

async function aFile(): Promise<FileHandle> {
  const handle = await open(join(aDataFolder(), 'export.zip'), 'w+');
  handles.push(handle);
  return handle;
}

const readFile = async (handle: FileHandle): Promise<ZipReader> => {
  const zip = await readZip(handle, { maxEntries: 1_000_000 });
  if (typeof zip === 'string') throw new Error(zip);
  return zip;
};
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}.wav`);

describe('a zip file', () => {
  it('holds more than 65,535 entries', { tags: ['slow'] }, async () => {
    const handle = await aFile();
    await handle.writeFile(zipOfManyFiles(names(65_540)));
    const read = await readFile(handle);
    expect(read.entries.map(({ name }) => name)).toEqual(names(65_540));
    const last = read.entries.at(-1);
    if (last === undefined) throw new Error('there are no entries');
    expect(String(await read.read(last))).toBe('65539.wav');
  });

  it('is damaged when its directory holds more entries than it counts', async () => {
    const handle = await aFile();
    const file = Buffer.from(zipSync(Object.fromEntries(names(3).map((name) => [name, new Uint8Array(1)]))));
    const countAt = file.length - 12;
    expect(file.readUInt16LE(countAt)).toBe(3);
    // A writer without ZIP64 counts 65,538 entries as 2.
    file.writeUInt16LE(2, countAt);
    await handle.writeFile(file);
    expect(await readZip(handle, { maxEntries: 1_000_000 })).toBe('damaged');
  });

  it('holds entries beyond 4 GiB', { tags: ['slow'] }, async () => {
    const handle = await aFile();
    const startsAt = 5 * 1_073_741_824;
    // The file begins with a hole (it is sparse), so that the test does not need 5 GiB of disk space.
    const zip = Object.assign(new ZipFile(), { outputStreamCursor: startsAt });
    zip.addReadStream(Readable.from([Buffer.from('spoken')]), 'a.wav', { compress: false });
    zip.addReadStream(Readable.from([Buffer.from('rows '.repeat(9_000))]), 'b.json');
    zip.end();
    let position = startsAt;
    for await (const chunk of zip.outputStream as Readable as AsyncIterable<Buffer>)
      position += (await handle.write(chunk, 0, chunk.length, position)).bytesWritten;
    const read = await readFile(handle);
    expect(read.entries.map(({ headerAt }) => headerAt > 0xffff_ffff)).toEqual([true, true]);
    expect(await Promise.all(read.entries.map(async (entry) => (await read.read(entry))?.length))).toEqual([6, 45_000]);
  });

  it('reports an entry that cannot be read while it is written', async () => {
    const writer = writeZip(await aFile());
    writer.add('a.wav', () => Readable.from([Buffer.from('spoken')]), { compress: false });
    writer.add(
      'b.wav',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('gone'));
          },
        }),
      { compress: false },
    );
    await expect(writer.end()).rejects.toThrow('gone');
  });
});
