/** Opens packs: ZIP files of any size by their directory, and folders. Nothing is read before it is requested. */
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';

/** Where a pack is: a ZIP file on the disk or in memory, or a folder with its files. */
export type PackSource = { zip: string } | { bytes: Uint8Array } | { folder: string };

export interface PackEntry {
  name: string;
  /** The size of the content; no more than this is ever read. */
  bytes: number;
  /** Throws when the content is not what the directory announces. */
  read: () => AsyncIterable<Buffer>;
}

export interface PackArchive {
  entries: readonly PackEntry[];
  /** The size of the ZIP file; null for a folder. */
  zippedBytes: number | null;
  close: () => void;
}

/** Thrown when an entry is damaged. Disk errors are thrown as they are. */
export class DamagedEntry extends Error {}

/** Returns null when it is no ZIP file, or a damaged one. */
export async function openArchive(source: PackSource, limits: { entries: number }): Promise<PackArchive | null> {
  if ('folder' in source) return openFolder(source.folder);
  // Names are compared as they are, so that none is accepted just because the library made it harmless.
  const options = { decodeStrings: false, autoClose: false } as const;
  const zip = await (
    'zip' in source ? openPromise(source.zip, options) : fromBufferPromise(Buffer.from(source.bytes), options)
  ).catch(nullUnlessFileError);
  if (zip === null) return null;
  const close = (): void => zip.close();
  const entries = await readDirectory(zip, limits).catch(nullUnlessFileError);
  if (entries !== null) return { entries, zippedBytes: zip.fileSize, close };
  close();
  return null;
}

/** One more entry than is allowed, so that an excess is noticed. */
async function readDirectory(zip: ZipFile, limits: { entries: number }): Promise<PackEntry[] | null> {
  const entries: PackEntry[] = [];
  let compressedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entries.length > limits.entries) break;
    compressedBytes += entry.compressedSize;
    // Entries that share their bytes could unpack to far more than the file.
    if (compressedBytes > zip.fileSize) return null;
    const name = entry.fileNameRaw.toString('utf8');
    entries.push({ name, bytes: entry.uncompressedSize, read: () => readEntry(zip, entry) });
  }
  return entries;
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void> {
  let checksum = 0;
  try {
    const content: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of content as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    if (isFileError(error)) throw error;
    throw new DamagedEntry('the content is not what the directory announces', { cause: error });
  }
  if (checksum !== entry.crc32) throw new DamagedEntry('the checksum is another one');
}

/** Links are left out, because they could lead to other files of the computer. */
async function openFolder(folder: string): Promise<PackArchive> {
  const names = await readdir(folder, { recursive: true });
  const entries: PackEntry[] = [];
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    const found = await lstat(path);
    if (found.isFile())
      entries.push({ name: name.split(sep).join('/'), bytes: found.size, read: () => createReadStream(path) });
  }
  return { entries, zippedBytes: null, close: () => undefined };
}

/** Whether the file could not be read at all; other errors say that its content is no ZIP file. */
const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

function nullUnlessFileError(error: unknown): null {
  if (isFileError(error)) throw error;
  return null;
}
