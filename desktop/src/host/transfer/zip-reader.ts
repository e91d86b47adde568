/**
 * Reads a zip file by its directory, entry by entry and in pieces, so that a file with hours of audio needs little
 * memory.
 */
import { Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  name: string;
  /** The size of the content. */
  bytes: number;
  compressedBytes: number;
  compressionMethod: number;
  flags: number;
  checksum: number;
  headerAt: number;
}

export type ZipFailure = 'not_a_zip' | 'damaged' | 'too_large';

export interface ZipReader {
  entries: readonly ZipEntry[];
  /**
   * Yields the content. Throws `DamagedEntry` as soon as it differs from what the directory says, at the latest at its
   * end.
   */
  stream(entry: ZipEntry): AsyncGenerator<Buffer, void>;
  /** Returns null when the content is damaged. */
  read(entry: ZipEntry): Promise<Buffer | null>;
}

export class DamagedEntry extends Error {}

/** Signatures that follow the last entry: the end of the directory, or its ZIP64 form. */
const END_SIGNATURES: readonly number[] = [0x06054b50, 0x06064b50];

export async function readZip(handle: FileHandle, limits: { maxEntries: number }): Promise<ZipReader | ZipFailure> {
  // Names are compared unchanged, so that none is accepted merely because the library sanitised it.
  const zip = await fromFdPromise(handle.fd, { decodeStrings: false }).catch(nullUnlessFileError);
  if (zip === null) return 'not_a_zip';
  if (zip.entryCount > limits.maxEntries) return 'too_large';
  const entries = await readEntries(zip).catch(nullUnlessFileError);
  if (entries === null || !(await endsHere(handle, zip))) return 'damaged';
  if (new Set(entries.map(({ name }) => name)).size !== entries.length) return 'damaged';
  // Entries that share their bytes could unpack to far more than the size of the file.
  if (entries.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0) > zip.fileSize) return 'damaged';
  return {
    entries,
    stream: (entry) => streamEntry(zip, entry),
    async read(entry) {
      try {
        return await buffer(streamEntry(zip, entry));
      } catch (error) {
        if (error instanceof DamagedEntry) return null;
        throw error;
      }
    },
  };
}

async function readEntries(zip: ZipFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry())
    entries.push({
      name: entry.fileNameRaw.toString('utf8'),
      bytes: entry.uncompressedSize,
      compressedBytes: entry.compressedSize,
      compressionMethod: entry.compressionMethod,
      flags: entry.generalPurposeBitFlag,
      checksum: entry.crc32,
      headerAt: entry.relativeOffsetOfLocalHeader,
    });
  return entries;
}

/** A writer without ZIP64 counts only to 65,535, and the entries beyond that would silently be lost. */
async function endsHere(handle: FileHandle, zip: ZipFile): Promise<boolean> {
  const next = await handle.read(Buffer.alloc(4), 0, 4, Number(zip.readEntryCursor));
  return END_SIGNATURES.includes(next.buffer.readUInt32LE(0));
}

async function* streamEntry(zip: ZipFile, entry: ZipEntry): AsyncGenerator<Buffer, void> {
  let checksum = 0;
  try {
    const content: Readable = await zip.openReadStreamPromise(
      Object.assign(new Entry(), {
        uncompressedSize: entry.bytes,
        compressedSize: entry.compressedBytes,
        compressionMethod: entry.compressionMethod,
        generalPurposeBitFlag: entry.flags,
        relativeOffsetOfLocalHeader: entry.headerAt,
      }),
    );
    for await (const chunk of content as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    if (isFileError(error)) throw error;
    throw new DamagedEntry('the content is not what the directory announces', { cause: error });
  }
  if (checksum !== entry.checksum) throw new DamagedEntry('the checksum is another one');
}

/** Whether the file could not be read at all; other errors mean that it is not a zip file. */
const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

function nullUnlessFileError(error: unknown): null {
  if (isFileError(error)) throw error;
  return null;
}
