/** A folder for one attack, removed whatever comes of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function withFolder<Value>(work: (dir: string) => Promise<Value>): Promise<Value> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
