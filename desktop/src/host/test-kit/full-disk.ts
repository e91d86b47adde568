/** Simulates a disk without room for the files that the host writes. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** Writing fails once files have grown by this many bytes; with 0, closing a file fails too. */
export function fillDiskAfter(bytes: number): void {
  let freeBytes = bytes;
  const { writeSync, fsyncSync } = fs;
  const fullError = (): Error => Object.assign(new Error('no space'), { code: 'ENOSPC' });
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    const [handle, , , length, position] = args.map(Number);
    const grownBy = Math.max(0, Number(position) + Number(length) - fs.fstatSync(Number(handle)).size);
    if (grownBy > freeBytes) throw fullError();
    freeBytes -= grownBy;
    return Reflect.apply(writeSync, fs, args);
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
    if (freeBytes === 0) throw fullError();
    fsyncSync(handle);
  });
  syncBuiltinESMExports();
}

export function restoreDisk(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}
