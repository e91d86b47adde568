/** Simulates a disk that reports little free space. */
import type { StatsFs } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/** The returned function frees the disk before the test ends. */
export function leaveFreeBytes(bytes: number): () => void {
  const statfs = vi.spyOn(fs, 'statfs').mockResolvedValue({ bavail: bytes, bsize: 1 } as StatsFs);
  syncBuiltinESMExports();
  const free = (): void => {
    statfs.mockRestore();
    syncBuiltinESMExports();
  };
  onTestFinished(free);
  return free;
}
