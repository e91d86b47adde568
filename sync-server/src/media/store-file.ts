/** Moves a received file to the storage. */
import { createReadStream } from 'node:fs';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { rethrowDiskFull } from './disk-room.ts';

/** Copies the file only if the storage cannot link it, because a copy needs its size on the disk once more. */
export async function storeFile(
  storage: FileStorage,
  { key, path, ...file }: { key: string; path: string; bytes: number; mediaType: string },
): Promise<void> {
  if ((await storage.link?.(key, path, file)) === true) return;
  await storage.put(key, createReadStream(path), file).catch(rethrowDiskFull);
}
