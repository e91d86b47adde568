/** What a folder takes on disk. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** Blocks where the file system counts them, else lengths: a sparse file costs only what it holds. */
export async function folderBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const { blocks, size } = await lstat(join(entry.parentPath, entry.name));
        return blocks > 0 ? blocks * BLOCK_BYTES : size;
      }),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
