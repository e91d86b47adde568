/** Daily copies of the database beside it; the newest good one takes over when the file is damaged. */
import {
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDamage, isSound, openConnection, type Sqlite } from './connection.ts';

const BACKUPS_KEPT = 7;
export const BACKUP_EVERY_MS: number = 24 * 3_600_000;

const NAME = /^parley-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.sqlite$/;

export interface Backup {
  file: string;
  takenAt: Date;
}

export const databaseFile = (dataDir: string): string => join(dataDir, 'parley.sqlite');
const backupFolder = (dataDir: string): string => join(dataDir, 'backups');
const stamp = (at: Date): string => at.toISOString().replaceAll(':', '-').replace('.', '-');

/** Newest first. */
export function listBackups(dataDir: string): Backup[] {
  const folder = backupFolder(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name): Backup[] => {
      const parts = NAME.exec(name);
      if (parts === null) return [];
      const [, day, hours, minutes, seconds, milliseconds] = parts;
      return [
        { file: join(folder, name), takenAt: new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) },
      ];
    })
    .toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
}

export const isBackupDue = (dataDir: string, now: Date): boolean => {
  const newest = listBackups(dataDir)[0];
  return newest === undefined || now.getTime() - newest.takenAt.getTime() >= BACKUP_EVERY_MS;
};

/** Copies the open database, checks the copy, and only then lets it count as a backup. */
export async function takeBackup(sqlite: Sqlite, dataDir: string, now: Date): Promise<void> {
  await keepCopy(sqlite, dataDir, { prefix: 'parley', now });
  for (const old of listBackups(dataDir).slice(BACKUPS_KEPT)) rmSync(old.file);
}

/** A sound copy beside the backups; only those that begin with `parley` are put back, or removed, by themselves. */
export async function keepCopy(
  sqlite: Sqlite,
  dataDir: string,
  { prefix, now }: { prefix: 'parley' | 'before-server-change'; now: Date },
): Promise<void> {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `unfinished-${stamp(now)}.sqlite`);
  await sqlite.backup(unfinished);
  const copy = openConnection(unfinished);
  const sound = isSound(copy);
  // A single file, without a log beside it, can be copied back as it is.
  copy.pragma('journal_mode = DELETE');
  copy.close();
  if (!sound) {
    rmSync(unfinished);
    throw new Error('the backup does not read back');
  }
  syncToDisk(unfinished);
  renameSync(unfinished, join(folder, `${prefix}-${stamp(now)}.sqlite`));
}

function syncToDisk(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

const isGood = (backup: Backup): boolean => {
  try {
    const copy = openConnection(backup.file);
    const sound = isSound(copy);
    copy.pragma('journal_mode = DELETE');
    copy.close();
    return sound;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
};

/** Puts the damaged database and its logs aside, with its damage: someone may still read words out of it. */
function setAside(dataDir: string, now: Date): string {
  const folder = join(dataDir, 'damaged', stamp(now));
  mkdirSync(folder, { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) {
    const file = databaseFile(dataDir) + suffix;
    if (existsSync(file)) renameSync(file, join(folder, `parley.sqlite${suffix}`));
  }
  return join(folder, 'parley.sqlite');
}

export interface Restored {
  /** Null when there is none and the database starts empty. */
  backup: Backup | null;
  /** The damaged file, where it lies now. */
  damagedFile: string;
}

/** Replaces a damaged database by its newest good backup. */
export function restoreNewestBackup(dataDir: string, now: Date): Restored {
  const damagedFile = setAside(dataDir, now);
  const backup = listBackups(dataDir).find(isGood) ?? null;
  if (backup !== null) {
    copyFileSync(backup.file, databaseFile(dataDir));
    syncToDisk(databaseFile(dataDir));
  }
  return { backup, damagedFile };
}
