/** Reads the learner's tables page by page and lays them out as JSON and CSV, so that years of practice need little memory. */
import { CSV_BYTE_ORDER_MARK, entities, isProjection, toCsvLine } from '@parley/domain';
import { and, eq, getTableColumns, getTableName, gt, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  DEVICE_TABLES_WITH_OWNER,
  fieldTimesOf,
  LEARNER_KEYS,
  type LearnerKey,
  type Snapshot,
  tables,
  type Values,
} from '../store/index.ts';

interface ExportedTable {
  name: string;
  /** Reads the learner's rows again on each call. */
  rows(): Generator<Values, void>;
}

/** The learner's tables, including those that exist only on this device. */
export const exportedTables = ({ db }: Snapshot, userId: string): ExportedTable[] => [
  ...LEARNER_KEYS.map((key) => ({
    name: entities[key].name,
    *rows() {
      const table: SQLiteTable = tables[key];
      const owner = (getTableColumns(table) as Record<string, AnySQLiteColumn>)['userId'];
      if (owner === undefined) throw new Error(`${key} has no userId column`);
      const fieldTimes = fieldTimesOf({ db }, key);
      for (const row of readRows(db, { table, owner, userId }))
        yield { ...withoutProjections(key, row), fieldClocks: fieldTimes(row) };
    },
  })),
  ...DEVICE_TABLES_WITH_OWNER.map((table) => ({
    name: getTableName(table),
    rows: () => readRows(db, { table, owner: table.userId, userId }),
  })),
];

const ROWS_AT_ONCE = 200;

function* readRows(
  db: Snapshot['db'],
  { table, owner, userId }: { table: SQLiteTable; owner: AnySQLiteColumn; userId: string },
): Generator<Values, void> {
  const page = db
    .select({ rowId: sql<number>`rowid`, row: getTableColumns(table) as Record<string, AnySQLiteColumn> })
    .from(table)
    .where(and(eq(owner, userId), gt(sql`rowid`, sql.placeholder('after'))))
    .orderBy(sql`rowid`)
    .limit(ROWS_AT_ONCE)
    .prepare();
  let read = page.all({ after: 0 });
  while (read.length > 0) {
    for (const { row } of read) yield row;
    read = page.all({ after: read.at(-1)?.rowId ?? 0 });
  }
}

/** A conversation is computed from its turns, which are exported themselves. */
const withoutProjections = (key: LearnerKey, row: Values): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !isProjection(entities[key], name)));

/** One row per line is easy to read, and takes a tenth of the size of indented JSON with thousands of scores. */
export function* toJsonLines(rows: Iterable<Values>): Generator<string, void> {
  let lead = '[\n';
  for (const row of rows) {
    yield `${lead}${JSON.stringify(row)}`;
    lead = ',\n';
  }
  yield lead === ',\n' ? '\n]\n' : '[]\n';
}

export function* toCsv(rows: Iterable<Values>): Generator<string, void> {
  let columns: string[] | null = null;
  for (const row of rows) {
    if (columns === null) {
      columns = Object.keys(row);
      yield `${CSV_BYTE_ORDER_MARK}${toCsvLine(columns)}`;
    }
    yield toCsvLine(columns.map((column) => row[column]));
  }
}
