/** The folders in which the embedded database is, and those from which it gets there when a backup is restored. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface DatabaseFolders {
  database: string;
  /** A database that is being written. What was left of one that was interrupted can never be opened. */
  unfinished: string;
  /** A backup that is complete, and about to take the place of the database. */
  restored: string;
}

export function databaseFolders(dataDir: string): DatabaseFolders {
  const database = join(dataDir, 'postgres');
  return { database, unfinished: `${database}.unfinished`, restored: `${database}.restored` };
}

/** PostgreSQL writes this file into each folder of a database. */
const VERSION_FILE = 'PG_VERSION';

export const isDatabase = (folder: string): boolean => existsSync(join(folder, VERSION_FILE));

/** Whether there is a database, or one that the next start puts in its place. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  const { database, restored } = databaseFolders(dataDir);
  return isDatabase(database) || isDatabase(restored);
}

/**
 * A restore moves the old database away and the new one into its place. If it was stopped between the two, this does the second; if it was
 * stopped before them, the old database stays, and nothing of the new one may appear later.
 */
export function completeRestore(dataDir: string): void {
  const { database, unfinished, restored } = databaseFolders(dataDir);
  if (!existsSync(database) && isDatabase(restored)) renameSync(restored, database);
  for (const left of [unfinished, restored]) rmSync(left, { recursive: true, force: true });
}
