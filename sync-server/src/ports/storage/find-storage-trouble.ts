/** Checks that files can be listed, written, read and deleted in a storage, using a temporary file. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileStorage } from './file-storage.ts';
import { StorageFailure } from './storage-failure.ts';

const CONTENT = 'Written by parley-server doctor.';

/** Returns what went wrong in one line, or null. */
export async function findStorageTrouble(storage: FileStorage): Promise<string | null> {
  try {
    await useStorage(storage);
    return null;
  } catch (error) {
    return explain(error instanceof StorageFailure ? error.cause : error);
  }
}

/** The service's own code, such as `NoSuchBucket`, is the name of the error; a failed connection has a code. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return [code, error.message].filter((part) => part !== '' && part !== 'Error').join(': ');
}

async function useStorage(storage: FileStorage): Promise<void> {
  const key = `doctor/${randomUUID()}.txt`;
  const file = { bytes: Buffer.byteLength(CONTENT), mediaType: 'text/plain' };
  // A wrong key or bucket fails here. If the first request were a write, the S3 client would also print a warning.
  await storage.list('doctor/')[Symbol.asyncIterator]().next();
  await storage.put(key, Readable.from([Buffer.from(CONTENT)]), file);
  const read = (await storage.get(key))?.destroy() ?? null;
  await storage.delete(key);
  if (read === null) throw new Error('a file that was just written is missing');
}
