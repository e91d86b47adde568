/** Reads and writes the server's rows in bulk; columns computed from other rows are left alone. */
import { columnName, entities, type EntityKey, type Field, isProjection } from '@parley/domain';
import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { BYTE_COUNT_COLUMNS, tables } from '../../db/tables.ts';
import type { Values } from '../push/parse-change.ts';
import { columnOf } from './wire-rows.ts';

type Columns = Record<string, AnyPgColumn>;

const columnsOf = (key: EntityKey): Columns => getTableColumns(tables[key]);

/** All columns that are written; the conversation is excluded because it is far larger than the rest of its session. */
const storedColumns = (key: EntityKey): Columns =>
  Object.fromEntries(
    Object.entries(columnsOf(key)).filter(
      ([name]) => !isProjection(entities[key], name) && !BYTE_COUNT_COLUMNS.has(name),
    ),
  );

/** The constant parts of the statements on a table; rebuilding them for each statement takes longer than the rest. */
interface TableStatements {
  columns: readonly { name: string; column: AnyPgColumn; isTime: boolean }[];
  /** A row as the text of a JSON array. Times are in milliseconds, whatever the database's time zone. */
  row: SQL;
  /** Does the same with null in place of one column. */
  rowWithout: (omitted: string) => SQL;
  table: SQL;
  /** The parameter that precedes the rows, which are one JSON text. */
  insert: SQL;
  upsert: SQL;
}

const statementsByKey = new Map<EntityKey, TableStatements>();

function statementsOf(key: EntityKey): TableStatements {
  const known = statementsByKey.get(key) ?? createStatements(key);
  statementsByKey.set(key, known);
  return known;
}

function createStatements(key: EntityKey): TableStatements {
  const table = quote(getTableName(tables[key]));
  const columns = Object.entries(storedColumns(key)).map(([name, column]) => ({
    name,
    column,
    isTime: (entities[key].fields as Record<string, Field>)[name]?.kind === 'time',
  }));
  const names = columns.map(({ column }) => quote(column.name));
  const computed = Object.entries(entities[key].fields).filter(([name]) => isProjection(entities[key], name));
  const inserted = [...names, ...computed.map(([name]) => quote(columnName(name)))];
  // Computed columns keep their initial value until they are computed.
  const initial = computed.map(([, { initial: value }]) => `'${JSON.stringify(value)}'::jsonb`);
  const valueOf = ({ column, isTime }: (typeof columns)[number]): string =>
    isTime ? `extract(epoch from ${table}.${quote(column.name)}) * 1000` : `${table}.${quote(column.name)}`;
  const updates = names.map((name) => `${name} = excluded.${name}`);
  const rowOf = (values: readonly string[]): SQL => sql.raw(`json_build_array(${values.join(', ')})::text`);
  return {
    columns,
    row: rowOf(columns.map(valueOf)),
    rowWithout: (omitted) => rowOf(columns.map((column) => (column.name === omitted ? 'null' : valueOf(column)))),
    table: sql.raw(table),
    insert: sql.raw(`insert into ${table} (${inserted.join(', ')})
      select ${[...names, ...initial].join(', ')} from json_populate_recordset(null::${table}, `),
    upsert: sql.raw(`::json)
      on conflict (${quote(columnName(entities[key].key))}) do update set ${updates.join(', ')}
      where ${table}.user_id = excluded.user_id`),
  };
}

const quote = (name: string): string => `"${name}"`;

/** Stored rows by key. A writer of learner rows must hold the lock of the learner's scope. */
export type StoredRows = Map<string, Values>;

/**
 * Selects each row as one JSON text, which `parseRow` reads. Parsing one text is faster than parsing each column, and neither side holds all
 * rows as one text.
 */
export function selectAsJson(key: EntityKey, condition: SQL | undefined): { value: SQL; from: SQL } {
  const { row, table } = statementsOf(key);
  return { value: row, from: sql`from ${table} where ${condition}` };
}

const JsonRow = z.array(z.unknown());

/** Returns a row with its key. */
export function parseRow(key: EntityKey, json: string): [id: string, row: Values] {
  const { columns } = statementsOf(key);
  const values = JsonRow.parse(JSON.parse(json));
  const row: Values = {};
  for (const [index, { name, isTime }] of columns.entries()) {
    const value = values[index] ?? null;
    row[name] = isTime && value !== null ? new Date(Number(value)) : value;
  }
  return [String(row[entities[key].key]), row];
}

const Selected = z.array(z.object({ value: z.string() }));

/** `without` is a field that is not read. */
export async function selectRows(
  tx: Database,
  key: EntityKey,
  condition: SQL | undefined,
  { without = null }: { without?: string | null } = {},
): Promise<StoredRows> {
  const { value: whole, from } = selectAsJson(key, condition);
  const value = without === null ? whole : statementsOf(key).rowWithout(without);
  const { rows } = (await tx.execute(sql`select ${value} as value ${from}`)) as { rows: unknown[] };
  return new Map(Selected.parse(rows).map((selected) => parseRow(key, selected.value)));
}

export const hasKeyAmong = (key: EntityKey, ids: Iterable<string>): SQL =>
  isOneOf(columnOf(key, entities[key].key), ids);

/** Upserts rows, but leaves alone those of another learner. The database itself extracts the values from one JSON text. */
export function upsertRows(key: EntityKey, rows: readonly Values[]): SQL {
  const { columns, insert, upsert } = statementsOf(key);
  const asJson = JSON.stringify(
    // Two transactions that write the same rows lock them in the same order.
    sortedByKey(key, rows).map((row) => {
      const stored: Values = {};
      for (const { name, column } of columns) stored[column.name] = row[name];
      return stored;
    }),
  );
  return sql`${insert}${asJson}${upsert}`;
}

function sortedByKey(key: EntityKey, rows: readonly Values[]): Values[] {
  const name = entities[key].key;
  return rows.toSorted((a, b) => (String(a[name]) < String(b[name]) ? -1 : 1));
}
