/** Looks into a host's database from outside, for tests that promise something about the file. */
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { asc } from 'drizzle-orm';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { outbox } from '../store/index.ts';

const PAGE_BYTES = 4_096;

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

/** Of all that was recorded on this device, oldest first. */
export const readRecordingStates = (dataDir: string): string[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite.prepare<[], string>('SELECT state FROM recordings ORDER BY created_at').pluck().all(),
  );

/** Writes noise over one page only, as a failing disk does, so that the rest can still be read. */
export function damageTable(dataDir: string, table: string): void {
  const file = join(dataDir, 'parley.sqlite');
  const page = inDatabase(dataDir, (sqlite) => {
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    return sqlite.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table);
  });
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xa5), 0, undefined, PAGE_BYTES * ((page ?? 1) - 1));
  closeSync(handle);
}
