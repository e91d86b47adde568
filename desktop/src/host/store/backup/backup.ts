/** Makes daily copies of the database, of which the newest good one replaces a damaged database. */
import { existsSync, fsyncSync, mkdirSync, openSync, closeSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isIntact, openConnection, type Sqlite } from '../connection.ts';

const BACKUPS_KEPT = 7;
export const BACKUP_EVERY_MS: number = 24 * 3_600_000;

const NAME = /^parley-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.sqlite$/;

export interface Backup {
  file: string;
  takenAt: Date;
}

export const databaseFile = (dataDir: string): string => join(dataDir, 'parley.sqlite');
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups');
export const formatTimestamp = (at: Date): string => at.toISOString().replaceAll(':', '-').replace('.', '-');

/** Returns the newest backup first. */
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

/** Copies the open database and checks the copy before it counts as a backup. */
export async function takeBackup(sqlite: Sqlite, dataDir: string, now: Date): Promise<void> {
  await writeCopy(sqlite, dataDir, { prefix: 'parley', now });
  for (const old of listBackups(dataDir).slice(BACKUPS_KEPT)) rmSync(old.file);
}

/**
 * Writes a verified copy next to the backups. Only copies prefixed with `parley` are restored or removed automatically.
 */
export async function writeCopy(
  sqlite: Sqlite,
  dataDir: string,
  { prefix, now }: { prefix: 'parley' | 'before-server-change'; now: Date },
): Promise<void> {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const temporaryFile = join(folder, `unfinished-${formatTimestamp(now)}.sqlite`);
  await sqlite.backup(temporaryFile);
  const copy = openConnection(temporaryFile);
  const isVerified = isIntact(copy);
  // Without WAL mode the copy is a single file that can be restored by copying it.
  copy.pragma('journal_mode = DELETE');
  copy.close();
  if (!isVerified) {
    rmSync(temporaryFile);
    throw new Error('the backup could not be verified');
  }
  syncToDisk(temporaryFile);
  renameSync(temporaryFile, join(folder, `${prefix}-${formatTimestamp(now)}.sqlite`));
}

export function syncToDisk(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
