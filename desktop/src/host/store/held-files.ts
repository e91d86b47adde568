/** Renames and removes files that another program on Windows, such as a virus scanner, may have open for a moment. */
import { renameSync, rmSync } from 'node:fs';

/** How Windows refuses while another program has the file, or one in the folder, open. */
const HELD_CODES: readonly unknown[] = ['EACCES', 'EBUSY', 'EPERM'];
/** A scanner seldom takes longer than all of these together. */
const WAITS_MS = [10, 30, 60, 100, 200, 400, 800];

/** Replaces a file that already has the new name. */
export function renameFile(from: string, to: string): void {
  for (const waitMs of process.platform === 'win32' ? WAITS_MS : []) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && HELD_CODES.includes(error.code))) throw error;
      sleep(waitMs);
    }
  }
  renameSync(from, to);
}

/** Most callers are inside steps that nothing may come between. */
const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** For a file that is of no more use but does no harm either. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}
