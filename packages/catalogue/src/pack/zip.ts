/** Packs as ZIP files, written in pieces. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { PackFiles } from './pack-layout.ts';

/** A video of a pack, which is opened when its turn comes. */
export interface PackedMedia {
  bytes: number;
  open: () => Promise<Readable>;
}

/** ZIP timestamps have no time zone, so a local date gives the same bytes everywhere. */
const WRITTEN_AT = new Date(2026, 0, 1);
const OPTIONS = { mtime: WRITTEN_AT, forceDosTimestamp: true, mode: 0o100644 } as const;

/** The same files give the same bytes. The stream fails when a video cannot be read to its end. */
export function zipPack(files: PackFiles, media: ReadonlyMap<string, PackedMedia> = new Map()): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
  for (const [name, content] of [...files].toSorted(byName))
    zip.addBuffer(Buffer.from(content), name, { ...OPTIONS, compress: true });
  // Videos are compressed already.
  for (const [name, { bytes, open }] of [...media].toSorted(byName))
    zip.addReadStreamLazy(name, { ...OPTIONS, compress: false, size: bytes }, (callback) => {
      const content = Readable.from(readWhenOpen(open), { objectMode: false });
      content.on('error', (error) => zip.emit('error', error));
      output.once('close', () => content.destroy());
      callback(null, content);
    });
  zip.end();
  return output;
}

async function* readWhenOpen(open: PackedMedia['open']): AsyncGenerator<Buffer, void> {
  yield* (await open()) as AsyncIterable<Buffer>;
}
