/** Stores files in a folder on this machine, or on a disk that all nodes share. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assertStorageKey, type FileStorage, type StoredFile } from '../../ports/storage/file-storage.ts';

/** Files are written here and then renamed, so an incomplete file never appears under its key. */
const INCOMING = '.incoming';

export function createFolderStorage(dir: string): FileStorage {
  const pathOf = (key: string): string => {
    assertStorageKey(key);
    return join(dir, ...key.split('/'));
  };

  const statOf: FileStorage['stat'] = async (key) => {
    const found = await orNull(stat(pathOf(key)));
    return found?.isFile() === true ? { key, bytes: found.size, modifiedAt: found.mtime } : null;
  };

  return {
    name: 'folder',

    async put(key, body, { bytes }) {
      // The stream may fail before it is read, and until then nothing else listens for errors.
      body.once('error', () => undefined);
      const path = pathOf(key);
      const incoming = join(dir, INCOMING, randomUUID());
      try {
        await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
        await pipeline(body, createWriteStream(incoming, { mode: 0o600, flush: true }));
        if ((await stat(incoming)).size !== bytes)
          throw new Error('the length of the file differs from the announced one');
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(incoming, path);
      } catch (error) {
        body.destroy();
        await rm(incoming, { force: true });
        throw error;
      }
    },

    async link(key, source, { bytes }) {
      const path = pathOf(key);
      const incoming = join(dir, INCOMING, randomUUID());
      try {
        await flush(source);
        await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
        await link(source, incoming);
        if ((await stat(incoming)).size !== bytes) return false;
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(incoming, path);
        return true;
      } catch {
        // The folders are on different disks, or the file system has no links. Copying reports any other failure.
        return false;
      } finally {
        // If the key already leads to this file, `rename` does nothing.
        await rm(incoming, { force: true });
      }
    },

    async get(key, range) {
      // The file is opened first, so that a missing one is noticed before the response begins.
      const file = await orNull(open(pathOf(key)));
      return file?.createReadStream(range ?? {}) ?? null;
    },

    stat: statOf,

    delete: async (key) => rm(pathOf(key), { force: true }),

    async *list(prefix) {
      const keys = await listKeys(dir, '');
      for (const key of keys.filter((each) => each.startsWith(prefix)).toSorted()) {
        const found: StoredFile | null = await statOf(key);
        if (found !== null) yield found;
      }
    },
  };
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function listKeys(dir: string, folder: string): Promise<string[]> {
  const entries = (await orNull(readdir(join(dir, folder), { withFileTypes: true }))) ?? [];
  const keys = await Promise.all(
    entries
      .filter(({ name }) => name !== INCOMING)
      .map(async (entry) => {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        return entry.isDirectory() ? listKeys(dir, path) : [path];
      }),
  );
  return keys.flat();
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
