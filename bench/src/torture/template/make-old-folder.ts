/** Rebuilds the folder of a device as the first released version would have left it. */
import Database from 'better-sqlite3';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFirstMigration } from './first-migration.ts';

const MIGRATIONS = new URL('../../../../desktop/src/host/store/migrations/', import.meta.url);
const TOKEN = 'device-token.json';
/** Versions without a search left this table empty. */
const SEARCH_TABLE = 'spoken_words';

export function makeOldFolder(currentDir: string, oldDir: string): void {
  const { statements, hash, when } = readFirstMigration(MIGRATIONS);
  mkdirSync(oldDir, { recursive: true });
  cpSync(join(currentDir, TOKEN), join(oldDir, TOKEN));
  const sqlite = new Database(join(oldDir, 'parley.sqlite'));
  try {
    for (const statement of statements) sqlite.exec(statement);
    sqlite.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
    sqlite.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(hash, when);
    sqlite.prepare('ATTACH ? AS newer').run(join(currentDir, 'parley.sqlite'));
    sqlite.pragma('foreign_keys = OFF');
    for (const table of listTables(sqlite, 'main').filter((name) => name !== SEARCH_TABLE)) {
      const newer = new Set(listColumns(sqlite, 'newer', table));
      const shared = listColumns(sqlite, 'main', table).filter((column) => newer.has(column));
      if (shared.length === 0) continue;
      const columns = shared.map((column) => `"${column}"`).join(', ');
      sqlite.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM newer."${table}"`);
    }
  } finally {
    sqlite.close();
  }
}

const listTables = (sqlite: Database.Database, schema: string): string[] =>
  sqlite
    .prepare<[], string>(
      `SELECT name FROM ${schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'`,
    )
    .pluck()
    .all();

const listColumns = (sqlite: Database.Database, schema: string, table: string): string[] =>
  sqlite.prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)').pluck().all(table, schema);
