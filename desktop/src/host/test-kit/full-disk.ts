/** Simulates a disk without room for the files that the host writes. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** Writing fails once files have grown by this many more bytes. */
export function fillDiskAfter(bytes: number): void {
  let freeBytes = bytes;
  const { writeSync } = fs;
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    const [handle, , , length, position] = args.map(Number);
    const grownBy = Math.max(0, Number(position) + Number(length) - fs.fstatSync(Number(handle)).size);
    if (grownBy > freeBytes) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    freeBytes -= grownBy;
    return Reflect.apply(writeSync, fs, args);
  });
  syncBuiltinESMExports();
}

export function restoreDisk(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}
