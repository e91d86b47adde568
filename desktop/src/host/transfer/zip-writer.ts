/**
 * Writes a zip file of any size in pieces, so that hours of audio need no more memory than a minute. fflate, which
 * tests use, cannot write ZIP64, so it is limited to 65,535 files and 4 GiB.
 */
import { ZipFile } from 'yazl';
import type { FileHandle } from 'node:fs/promises';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ZipWriter {
  /** Adds an entry, whose content is opened when its turn comes. */
  add(name: string, open: () => Readable, options: { compress: boolean }): void;
  /**
   * Adds an entry whose content is in memory. Resolves when it has been written, so that only one is in memory at a
   * time.
   */
  addNow(name: string, content: Uint8Array): Promise<void>;
  /** Resolves when everything has been written to the file; rejects with the first error of an entry or of the file. */
  end(): Promise<void>;
}

export function writeZip(handle: FileHandle): ZipWriter {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const written = pipeline(output, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await handle.appendFile(chunk);
  });
  // The error is reported by `end`.
  written.catch(() => undefined);
  zip.on('error', (error: Error) => output.destroy(error));
  return {
    add(name, open, { compress }) {
      zip.addReadStreamLazy(name, { compress }, (callback) => {
        const content = open();
        content.on('error', (error) => zip.emit('error', error));
        callback(null, content);
      });
    },
    async addNow(name, content) {
      const source = Readable.from([content]);
      const taken = once(source, 'end');
      zip.addReadStreamLazy(name, { compress: false }, (callback) => callback(null, source));
      // An error of the file must end the wait too.
      await Promise.race([taken, written]);
    },
    async end() {
      zip.end();
      await written;
    },
  };
}
