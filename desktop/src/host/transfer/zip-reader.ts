/** Reads a zip file by its directory, entry by entry, so that a file of hours of audio needs little memory. Nothing is read beyond its limits. */
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

export interface ZipEntry {
  name: string;
  /** The size of the content. */
  bytes: number;
  compressedBytes: number;
  isDeflated: boolean;
  checksum: number;
  headerAt: number;
}

export type ZipFailure = 'not_a_zip' | 'damaged' | 'too_large';

export interface ZipReader {
  entries: readonly ZipEntry[];
  /** Returns null when the content is damaged. */
  read(entry: ZipEntry): Promise<Buffer | null>;
}

const END = { signature: 0x06054b50, bytes: 22, maxComment: 0xffff } as const;
const DIRECTORY = { signature: 0x02014b50, bytes: 46 } as const;
const LOCAL = { signature: 0x04034b50, bytes: 30 } as const;
const STORED = 0;
const DEFLATED = 8;
/** These values say that the real ones stand elsewhere, in a file of more than 4 GB. */
const ZIP64 = 0xffff_ffff;
const ENCRYPTED = 1;

export async function readZip(
  handle: FileHandle,
  limits: { maxDirectoryBytes: number },
): Promise<ZipReader | ZipFailure> {
  const { size } = await handle.stat();
  const end = await findEnd(handle, size);
  if (end === null) return 'not_a_zip';
  const [count, length, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (at === ZIP64 || length > limits.maxDirectoryBytes) return 'too_large';
  if (at + length > size) return 'damaged';
  const entries = parseDirectory(await readAt(handle, at, length), count);
  if (entries === null || new Set(entries.map(({ name }) => name)).size !== entries.length) return 'damaged';
  // Entries that share their bytes could unpack to far more than the file.
  if (entries.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0) > size) return 'damaged';
  return { entries, read: (entry) => readEntry(handle, entry) };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The end of the directory stands at the end of the file, before a comment. */
async function findEnd(handle: FileHandle, size: number): Promise<Buffer | null> {
  const length = Math.min(size, END.bytes + END.maxComment);
  const tail = await readAt(handle, size - length, length);
  for (let at = tail.length - END.bytes; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === END.signature && at + END.bytes + tail.readUInt16LE(at + 20) === tail.length)
      return tail.subarray(at);
  return null;
}

function parseDirectory(directory: Buffer, count: number): ZipEntry[] | null {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY.bytes > directory.length || directory.readUInt32LE(at) !== DIRECTORY.signature) return null;
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    const nameBytes = directory.readUInt16LE(at + 28);
    const next = at + DIRECTORY.bytes + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (next > directory.length || (flags & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED)) return null;
    const entry: ZipEntry = {
      name: directory.toString('utf8', at + DIRECTORY.bytes, at + DIRECTORY.bytes + nameBytes),
      checksum: directory.readUInt32LE(at + 16),
      compressedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      isDeflated: method === DEFLATED,
      headerAt: directory.readUInt32LE(at + 42),
    };
    if ([entry.bytes, entry.compressedBytes, entry.headerAt].includes(ZIP64)) return null;
    entries.push(entry);
    at = next;
  }
  return entries;
}

async function readEntry(handle: FileHandle, entry: ZipEntry): Promise<Buffer | null> {
  const { bytes, compressedBytes, isDeflated, checksum, headerAt } = entry;
  const header = await readAt(handle, headerAt, LOCAL.bytes);
  if (header.length < LOCAL.bytes || header.readUInt32LE(0) !== LOCAL.signature) return null;
  const contentAt = headerAt + LOCAL.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(handle, contentAt, compressedBytes);
  if (packed.length !== compressedBytes) return null;
  try {
    // More than the directory announces is an error, however little the file contains.
    const content = isDeflated ? await inflate(packed, { maxOutputLength: Math.max(1, bytes) }) : packed;
    return content.length === bytes && crc32(content) === checksum ? content : null;
  } catch {
    return null;
  }
}
