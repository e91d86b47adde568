/** Gives an attack a temporary folder and always removes it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function withTemporaryFolder<Value>(work: (dir: string) => Promise<Value>): Promise<Value> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
