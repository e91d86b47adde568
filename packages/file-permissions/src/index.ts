/**
 * Keeps other users of the computer away from a program's files. On Windows, a user's folders are private by default,
 * so these functions do nothing there.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const supportsModes = process.platform !== 'win32';
const OTHERS_MASK = 0o077;
const STICKY_BIT = 0o1000;

/** Makes all new files and folders of this process private to its owner, including those written by SQLite, PGlite or child processes. */
export function keepNewFilesPrivate(): void {
  // The umask belongs to the process, and only the main thread may change it.
  if (supportsModes && isMainThread) process.umask(OTHERS_MASK);
}

/**
 * Why other users can still enter a folder: it belongs to another user, it is shared on purpose (such as /tmp), or its file system has no
 * permissions (such as a USB stick).
 */
export type PrivacyFailure = 'other_owner' | 'shared_folder' | 'no_permissions';

/** Creates the folder, or removes other users' access to an existing one. Returns null when only its owner can enter it. */
export function preparePrivateFolder(folder: string): PrivacyFailure | null {
  createPrivateFolder(folder);
  const stats = statSync(folder);
  if (!supportsModes || isPrivate(stats)) return null;
  if (stats.uid !== process.getuid?.()) return 'other_owner';
  if ((stats.mode & STICKY_BIT) !== 0) return 'shared_folder';
  try {
    chmodSync(folder, ownerBits(stats));
    return isPrivate(statSync(folder)) ? null : 'no_permissions';
  } catch (error) {
    if (!isPermissionError(error)) throw error;
    return 'no_permissions';
  }
}

/** Creates the folder unless it exists; an existing one keeps its permissions. */
export const createPrivateFolder = (folder: string): void => createWithParents(resolve(folder));

/**
 * `mkdirSync` with `recursive` never returns below a folder such as /proc, which exists but reports ENOENT when a
 * folder is created in it.
 */
function createWithParents(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) createWithParents(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const BATCH_SIZE = 200;

/** Removes other users' access to everything under these names in a private folder. It does not follow links. */
export async function restrictContents(folder: string, names: readonly string[]): Promise<void> {
  if (!supportsModes) return;
  const pending = names.map((name) => join(folder, name));
  // Awaiting each file would take ten times as long, and processing all files at once would block the event loop.
  for (let count = 1; pending.length > 0; count += 1) {
    pending.push(...restrict(pending.pop() ?? ''));
    if (count % BATCH_SIZE === 0) await setImmediate();
  }
}

/** Returns the folder's entries. */
function restrict(path: string): string[] {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink() || stats.uid !== process.getuid?.()) return [];
    if (!isPrivate(stats)) chmodSync(path, ownerBits(stats));
    return stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  } catch (error) {
    // The file was removed in the meantime, or its file system has no permissions.
    if (codeOf(error) === 'ENOENT' || isPermissionError(error)) return [];
    throw error;
  }
}

const isPrivate = ({ mode }: Stats): boolean => (mode & OTHERS_MASK) === 0;
const ownerBits = ({ mode }: Stats): number => mode & 0o700;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
const isPermissionError = (error: unknown): boolean => ['EPERM', 'ENOTSUP', 'EROFS'].includes(String(codeOf(error)));
