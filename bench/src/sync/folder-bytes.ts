/** Measures the disk space of a folder. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** Counts allocated blocks where the file system reports them, because a sparse file is smaller than its length. */
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
