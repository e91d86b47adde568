/**
 * Simulates Windows, where a virus scanner or an indexer holds a newly written file open, so that it cannot be renamed
 * or removed.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

const { platform } = process;

export interface HeldFiles {
  /** How many attempts fail for each file. */
  times: number;
  /** Selects the files that are held; all of them by default. */
  isHeld?: (file: string, act: 'rename' | 'unlink') => boolean;
}

export function holdFiles({ times, isHeld = () => true }: HeldFiles): void {
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const attempts = new Map<string, number>();
  function refuse(act: 'rename' | 'unlink', file: string, code: 'EPERM' | 'EBUSY'): void {
    const made = attempts.get(`${act} ${file}`) ?? 0;
    attempts.set(`${act} ${file}`, made + 1);
    if (made < times && isHeld(file, act)) throw Object.assign(new Error(`${code}: ${act} '${file}'`), { code });
  }
  const { renameSync, rmSync } = fs;
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    refuse('rename', String(from), 'EPERM');
    renameSync(from, to);
  });
  vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true) refuse('unlink', String(file), 'EBUSY');
    rmSync(file, options);
  });
  syncBuiltinESMExports();
}

export function releaseFiles(): void {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}
