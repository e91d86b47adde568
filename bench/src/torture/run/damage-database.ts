/** Overwrites pages of a closed database with garbage, as a failing disk would. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE_BYTES = 4_096;
const GARBAGE_BYTE = 0xa5;

export async function damageDatabase(dir: string, shares: readonly number[]): Promise<void> {
  const file = await open(join(dir, 'parley.sqlite'), 'r+');
  try {
    const { size } = await file.stat();
    const pages = Math.floor(size / PAGE_BYTES);
    for (const share of shares)
      await file.write(Buffer.alloc(PAGE_BYTES, GARBAGE_BYTE), 0, PAGE_BYTES, Math.floor(share * pages) * PAGE_BYTES);
  } finally {
    await file.close();
  }
}
