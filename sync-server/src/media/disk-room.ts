/** Checks that large files leave room on the disk for the database, which may be on the same disk. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError } from '../domain-error.ts';
import { nullWhenMissing } from '../missing-file.ts';

/** Returns how many bytes are free on the disk of a folder. */
export type ReadFreeBytes = (folder: string) => Promise<number>;

export interface DiskParts {
  uploadsDir: string;
  /** Tests replace this, so that they do not depend on the machine's disk. */
  readFreeBytes?: ReadFreeBytes | undefined;
}

/** Free space that must remain, so that the server can go on storing what learners do. */
const SPARE_BYTES = 512 * 1_048_576;

export async function hasDiskRoom(
  { uploadsDir, readFreeBytes = readFreeBytesOfDisk }: DiskParts,
  bytes: number,
): Promise<boolean> {
  return (await readFreeBytes(uploadsDir)) >= bytes + SPARE_BYTES;
}

/** Throws `storage.full` when less than the spare space would remain. */
export async function requireDiskRoom(parts: DiskParts, bytes: number): Promise<void> {
  if (!(await hasDiskRoom(parts, bytes))) throw new DomainError('storage.full', { detail: 'disk' });
}

/** Converts the error of a full disk to `storage.full`. */
export function rethrowDiskFull(error: unknown): never {
  if (isDiskFull(error)) throw new DomainError('storage.full', { detail: 'disk' });
  throw error;
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** The first upload creates the folder. Until then, its parent is on the same disk. */
async function readFreeBytesOfDisk(folder: string): Promise<number> {
  const found = await statfs(folder).catch(nullWhenMissing);
  if (found !== null) return found.bavail * found.bsize;
  return readFreeBytesOfDisk(dirname(folder));
}
