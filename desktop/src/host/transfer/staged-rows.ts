/**
 * Stores the rows of an export in a temporary file during an import, because ten years of practice do not fit into
 * memory.
 */
import { openScratchFile } from '../store/index.ts';

export interface StagedRow {
  table: string;
  id: string;
  json: string;
}

export interface StagedRows {
  add(row: StagedRow): void;
  /** The rows of a table in insertion order. */
  ofTable(table: string): Iterable<StagedRow>;
  find(id: string): StagedRow | undefined;
  count(): number;
  close(): void;
}

const ROWS_AT_ONCE = 200;

export function openStagedRows(file: string): StagedRows {
  const sqlite = openScratchFile(file);
  sqlite.exec(`
    CREATE TABLE rows (position INTEGER PRIMARY KEY, name TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL);
    CREATE INDEX rows_by_name ON rows (name);
    CREATE INDEX rows_by_id ON rows (id);
    BEGIN;
  `);
  const insert = sqlite.prepare('INSERT INTO rows (name, id, json) VALUES (?, ?, ?)');
  const page = sqlite.prepare<[string, number, number], StagedRow & { position: number }>(
    'SELECT position, name AS "table", id, json FROM rows WHERE name = ? AND position > ? ORDER BY position LIMIT ?',
  );
  const find = sqlite.prepare<[string], StagedRow>('SELECT name AS "table", id, json FROM rows WHERE id = ? LIMIT 1');
  const count = sqlite.prepare<[], number>('SELECT count(*) FROM rows').pluck();
  return {
    add: ({ table, id, json }) => void insert.run(table, id, json),
    *ofTable(table) {
      let rows = page.all(table, 0, ROWS_AT_ONCE);
      while (rows.length > 0) {
        yield* rows;
        rows = page.all(table, rows.at(-1)?.position ?? 0, ROWS_AT_ONCE);
      }
    },
    find: (id) => find.get(id),
    count: () => count.get() ?? 0,
    close: () => void sqlite.close(),
  };
}
