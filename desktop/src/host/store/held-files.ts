/** Renames and removes files that another program on Windows, such as a virus scanner, may have open for a moment. */
import { renameSync, rmSync } from 'node:fs';

/** The error codes with which Windows refuses while another program has the file, or a file in the folder, open. */
const HELD_CODES: readonly unknown[] = ['EACCES', 'EBUSY', 'EPERM'];
/** A virus scanner seldom holds a file for longer than all of these delays together. */
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

/** Waits synchronously, because most callers are in the middle of steps that must not be interleaved. */
const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** For a file that is no longer needed but does no harm. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}
