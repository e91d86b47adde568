/** Reads a host's database from outside, for tests about the file itself. */
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { asc } from 'drizzle-orm';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
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

/** Returns the states of all recordings on this device, oldest first. */
export const readRecordingStates = (dataDir: string): string[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite.prepare<[], string>('SELECT state FROM recordings ORDER BY created_at').pluck().all(),
  );

/** Overwrites a single page with noise, as a failing disk does, so that the rest stays readable. */
export const damageTable = (dataDir: string, table: string): void =>
  changePage(dataDir, table, () => Buffer.alloc(PAGE_BYTES, 0xa5));

/** Changes a value in an index only, which SQLite's quick check does not notice. */
export const misspellInIndex = (dataDir: string, index: string, value: string): void =>
  changePage(dataDir, index, (page) => {
    const at = page.indexOf(value);
    if (at < 0) throw new Error(`the first page of ${index} does not contain ${value}`);
    page[at + value.length - 1] = 'x'.charCodeAt(0);
    return page;
  });

/** Changes the first page of a table or index in the file. */
function changePage(dataDir: string, name: string, change: (page: Buffer) => Buffer): void {
  const file = join(dataDir, 'parley.sqlite');
  const number = inDatabase(dataDir, (sqlite) => {
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    return sqlite.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name);
  });
  if (number === undefined) throw new Error(`the database has no ${name}`);
  const position = PAGE_BYTES * (number - 1);
  const page = Buffer.alloc(PAGE_BYTES);
  const handle = openSync(file, 'r+');
  readSync(handle, page, 0, PAGE_BYTES, position);
  writeSync(handle, change(page), 0, PAGE_BYTES, position);
  closeSync(handle);
}
