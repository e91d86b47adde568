/** Looks into a host's database from outside, for tests that promise something about the file. */
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { asc } from 'drizzle-orm';
import { join } from 'node:path';
import { outbox } from '../store/index.ts';

export function inDatabase<Value>(dataDir: string, read: (sqlite: Database.Database) => Value): Value {
  const sqlite = new Database(join(dataDir, 'parley.sqlite'));
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

export const readOutbox = (dataDir: string): (typeof outbox.$inferSelect)[] =>
  inDatabase(dataDir, (sqlite) => drizzle(sqlite).select().from(outbox).orderBy(asc(outbox.position)).all());
