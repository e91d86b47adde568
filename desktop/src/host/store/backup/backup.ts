/** Makes daily copies of the database. The newest good one replaces a damaged database. */
import { existsSync, fsyncSync, mkdirSync, openSync, closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isIntact, openConnection, type Sqlite } from '../connection.ts';
import { removeIfPossible, renameFile } from '../held-files.ts';

const BACKUPS_KEPT = 7;
export const BACKUP_EVERY_MS: number = 24 * 3_600_000;
const MAX_CLOCK_ERROR_MS = 2 * BACKUP_EVERY_MS;

const UNFINISHED = 'unfinished-';
const NAME = /^parley-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.sqlite$/;

export interface Backup {
  file: string;
  takenAt: Date;
}

export const databaseFile = (dataDir: string): string => join(dataDir, 'parley.sqlite');
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups');
export const formatTimestamp = (at: Date): string => at.toISOString().replaceAll(':', '-').replace('.', '-');

/**
 * Lists backups, newest first. A backup that is dated days ahead comes last, because the clock was wrong when it was
 * made and its age is unknown.
 */
export function listBackups(dataDir: string, now: Date): Backup[] {
  const folder = backupFolder(dataDir);
  if (!existsSync(folder)) return [];
  const hasWrongDate = ({ takenAt }: Backup): boolean => takenAt.getTime() > now.getTime() + MAX_CLOCK_ERROR_MS;
  return readdirSync(folder)
    .flatMap((name): Backup[] => {
      const parts = NAME.exec(name);
      if (parts === null) return [];
      const [, day, hours, minutes, seconds, milliseconds] = parts;
      return [
        { file: join(folder, name), takenAt: new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) },
      ];
    })
    .toSorted((a, b) => Number(hasWrongDate(a)) - Number(hasWrongDate(b)) || b.takenAt.getTime() - a.takenAt.getTime());
}

/** A backup with a date in the future postpones the next one by at most a day. */
export const isBackupDue = (dataDir: string, now: Date): boolean =>
  !listBackups(dataDir, now).some(({ takenAt }) => Math.abs(now.getTime() - takenAt.getTime()) < BACKUP_EVERY_MS);

/** Copies the open database and checks the copy before it counts as a backup. */
export async function takeBackup(sqlite: Sqlite, dataDir: string, now: Date): Promise<void> {
  const written = await writeCopy(sqlite, dataDir, { prefix: 'parley', now });
  const others = listBackups(dataDir, now).filter(({ file }) => file !== written);
  for (const old of others.slice(BACKUPS_KEPT - 1)) removeIfPossible(old.file);
}

/**
 * Writes a verified copy next to the backups and returns its file. Only copies prefixed with `parley` are restored or removed automatically.
 */
export async function writeCopy(
  sqlite: Sqlite,
  dataDir: string,
  { prefix, now }: { prefix: 'parley' | 'before-server-change'; now: Date },
): Promise<string> {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const temporaryFile = join(folder, `${UNFINISHED}${formatTimestamp(now)}.sqlite`);
  const file = join(folder, `${prefix}-${formatTimestamp(now)}.sqlite`);
  try {
    await writeVerifiedCopy(sqlite, temporaryFile);
    renameFile(temporaryFile, file);
    return file;
  } catch (error) {
    // The failed copy is removed, because the next attempt, in ten minutes, writes another, and each is as large as the
    // database.
    for (const suffix of ['', '-wal', '-shm', '-journal']) removeIfPossible(temporaryFile + suffix);
    throw error;
  }
}

async function writeVerifiedCopy(sqlite: Sqlite, temporaryFile: string): Promise<void> {
  await sqlite.backup(temporaryFile);
  const copy = openConnection(temporaryFile);
  let isVerified: boolean;
  try {
    isVerified = isIntact(copy);
    // Without WAL mode, the copy is a single file that can be restored by copying it.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
  if (!isVerified) throw new Error('the backup could not be verified');
  syncToDisk(temporaryFile);
}

/** Removes incomplete copies left by a process that was killed. Only one process at a time uses the data folder. */
export function removeUnfinishedCopies(dataDir: string): void {
  const folder = backupFolder(dataDir);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith(UNFINISHED)) removeIfPossible(join(folder, name));
}

export function syncToDisk(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
