/** The only table of the baseline, identical on device and server. */
import Database from 'better-sqlite3';

export function openRows(file: string): Database.Database {
  const sqlite = new Database(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, summary TEXT NOT NULL, body TEXT NOT NULL)');
  return sqlite;
}

export const splitLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Stores one JSON row per line in a single transaction. */
export function storeRows(sqlite: Database.Database, lines: readonly string[]): void {
  const insert = sqlite.prepare('INSERT OR REPLACE INTO rows (id, summary, body) VALUES (?, ?, ?)');
  sqlite.transaction(() => {
    for (const line of lines) {
      const row = JSON.parse(line) as { id: string; summary: string };
      insert.run(row.id, row.summary, line);
    }
  })();
}
