/** Reads a table of a damaged database row by row, so that a bad page affects only its own rows. */
import type { Sqlite } from '../connection.ts';

/** Limits the loop, because numbers in a damaged file may be arbitrary. */
const MAX_ROWS = 1_000_000;
/** How many row numbers are tried if even the last one is unreadable. */
const GUESSED_ROWS = 100_000;

/** `parse` throws for an invalid row, which then counts as unreadable. */
export interface RowReader<Row> {
  parse: (row: Record<string, unknown>) => Row;
  /** Receives the rows in the order in which they were created. */
  take: (row: Row) => void;
}

/**
 * Returns whether all rows were readable. A file from an earlier version may lack the table, which then counts as
 * empty.
 */
export function readRowByRow<Row>(sqlite: Sqlite, table: string, { parse, take }: RowReader<Row>): boolean {
  const isThere = tryOrNull(
    () => sqlite.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined,
  );
  if (isThere !== true) return isThere === false;
  const read = tryOrNull(() =>
    sqlite.prepare<[number], Record<string, unknown>>(`SELECT * FROM ${table} WHERE rowid = ?`),
  );
  if (read === null) return false;
  let taken = 0;
  for (const number of rowNumbers(sqlite, table)) {
    const row = tryOrNull(() => {
      const found = read.get(number);
      return found === undefined ? null : { parsed: parse(found) };
    });
    if (row === null) continue;
    take(row.parsed);
    taken += 1;
  }
  return taken === tryOrNull(() => sqlite.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? null);
}

/** Returns the possible row numbers in ascending order. */
function* rowNumbers(sqlite: Sqlite, table: string): Generator<number> {
  const bound = (which: 'min' | 'max'): number | null =>
    tryOrNull(() => sqlite.prepare<[], number>(`SELECT ${which}(rowid) FROM ${table}`).pluck().get() ?? 0);
  const [first, last] = [bound('min'), bound('max')];
  if (first === null || last === null) {
    // An index may list the rows although the table's own pages are bad.
    const listed = tryOrNull(() => sqlite.prepare<[], number>(`SELECT rowid FROM ${table}`).pluck().all());
    if (listed !== null) return yield* listed.toSorted((a, b) => a - b);
  }
  const from = first ?? 1;
  const to = Math.min(last ?? from + GUESSED_ROWS, from + MAX_ROWS);
  for (let number = from; number <= to; number += 1) yield number;
}

/** Returns null when reading a bad page throws. */
export function tryOrNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
