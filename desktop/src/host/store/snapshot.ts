/** Reads the database as it was at one moment, while it continues to change. */
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { databaseFile } from './backup/backup.ts';
import { openForReading } from './connection.ts';

export interface Snapshot {
  readonly db: BetterSQLite3Database;
  close(): void;
}

/** Close the snapshot when everything has been read, because the write-ahead log grows until then. */
export function openSnapshot(dataDir: string): Snapshot {
  const sqlite = openForReading(databaseFile(dataDir));
  sqlite.exec('BEGIN');
  // The snapshot is taken at the first read.
  sqlite.prepare('SELECT 1 FROM sqlite_master').get();
  return { db: drizzle(sqlite), close: () => void sqlite.close() };
}
