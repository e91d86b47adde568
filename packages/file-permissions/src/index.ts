/** Keeps other users of the computer out of what a program writes. On Windows a user's folders are private by themselves: all of this does nothing. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const hasModes = process.platform !== 'win32';
const OTHERS = 0o077;
const STICKY = 0o1000;

/** From now on new files and folders of this process are its owner's alone, also those that SQLite, PGlite or a started program writes. */
export function keepNewFilesPrivate(): void {
  // The mask is the process's, and no thread but its first may change it.
  if (hasModes && isMainThread) process.umask(OTHERS);
}

/**
 * Why others may still enter a folder: it is another user's, it is shared on purpose (as /tmp is), or its disk knows no such rights (as a USB
 * stick's does not).
 */
export type NotPrivate = 'other_owner' | 'shared_folder' | 'no_permissions';

/** Makes the folder, or closes one that is there to other users. Null when only its owner can enter it now. */
export function preparePrivateFolder(folder: string): NotPrivate | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = statSync(folder);
  if (!hasModes || isPrivate(stats)) return null;
  if (stats.uid !== process.getuid?.()) return 'other_owner';
  if ((stats.mode & STICKY) !== 0) return 'shared_folder';
  try {
    chmodSync(folder, ownersPart(stats));
    return isPrivate(statSync(folder)) ? null : 'no_permissions';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'no_permissions';
  }
}

const BATCH = 200;

/** Closes what lies under these names in a private folder to other users, whatever wrote it. Follows no links. */
export async function restrictContents(folder: string, names: readonly string[]): Promise<void> {
  if (!hasModes) return;
  const waiting = names.map((name) => join(folder, name));
  // Waiting for each file would take ten times as long; doing all at once would hold up whatever else the process does.
  for (let count = 1; waiting.length > 0; count += 1) {
    waiting.push(...restrict(waiting.pop() ?? ''));
    if (count % BATCH === 0) await setImmediate();
  }
}

/** Answers what lies in it. */
function restrict(path: string): string[] {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink() || stats.uid !== process.getuid?.()) return [];
    if (!isPrivate(stats)) chmodSync(path, ownersPart(stats));
    return stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  } catch (error) {
    // It was removed meanwhile, or its disk knows no such rights.
    if (codeOf(error) === 'ENOENT' || isRefusal(error)) return [];
    throw error;
  }
}

const isPrivate = ({ mode }: Stats): boolean => (mode & OTHERS) === 0;
const ownersPart = ({ mode }: Stats): number => mode & 0o700;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
const isRefusal = (error: unknown): boolean => ['EPERM', 'ENOTSUP', 'EROFS'].includes(String(codeOf(error)));
