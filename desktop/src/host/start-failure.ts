/**
 * Recognises, by the error codes of Node and SQLite, failures of the disk or the data folder that prevent a host from
 * starting.
 */
import type { HostStartFailure } from './store/index.ts';

const FULL_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'];
/**
 * `EEXIST` and `ENOTDIR` mean that the data folder, or one above it, is a file. `EBUSY` and `ENOTEMPTY` mean that on
 * Windows, another program holds a file that must be deleted.
 */
const UNREADABLE_CODES: readonly string[] = [
  'EACCES',
  'EBUSY',
  'EEXIST',
  'ENOTDIR',
  'ENOTEMPTY',
  'EPERM',
  'EROFS',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
];

/** Null for any other error. SQLite's extended codes, such as `SQLITE_READONLY_DIRECTORY`, count as their base code. */
export function startFailureOf(error: unknown): HostStartFailure | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  // A folder can be made anywhere except on a drive that does not exist, or that is not connected.
  if (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir') return 'storage.unreadable';
  const code = error.code.replace(/^(SQLITE_[A-Z]+)_.*/, '$1');
  if (FULL_CODES.includes(code)) return 'storage.full';
  return UNREADABLE_CODES.includes(code) ? 'storage.unreadable' : null;
}
