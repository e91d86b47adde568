/** The folder of the embedded database, and those that a restore of a backup uses before it replaces the database. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface DatabaseFolders {
  database: string;
  /** A database that is being written. If that was interrupted, the rest can never be opened. */
  unfinished: string;
  /** A complete database from a backup, which is about to replace the current one. */
  restored: string;
}

export function databaseFolders(dataDir: string): DatabaseFolders {
  const database = join(dataDir, 'postgres');
  return { database, unfinished: `${database}.unfinished`, restored: `${database}.restored` };
}

/** PostgreSQL writes this file into every database folder. */
const VERSION_FILE = 'PG_VERSION';

export const isDatabase = (folder: string): boolean => existsSync(join(folder, VERSION_FILE));

/** Whether there is a database, or one that the next start will put in its place. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  const { database, restored } = databaseFolders(dataDir);
  return isDatabase(database) || isDatabase(restored);
}

/**
 * A restore moves the old database away and then the new one into its place. If it was stopped between these steps, this takes the second one. If it
 * was stopped before them, the old database stays, and the new one is deleted so that it cannot replace a later one.
 */
export function completeRestore(dataDir: string): void {
  const { database, unfinished, restored } = databaseFolders(dataDir);
  if (!existsSync(database) && isDatabase(restored)) renameSync(restored, database);
  for (const left of [unfinished, restored]) rmSync(left, { recursive: true, force: true });
}
