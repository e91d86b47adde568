/** Reads and writes the server's rows in bulk; columns computed from other rows are left alone. */
import { columnName, entities, type EntityKey, type Field, isProjection } from '@parley/domain';
import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { BYTE_COUNT_COLUMNS, tables } from '../../db/tables.ts';
import type { Values } from '../push/parse-change.ts';

type Columns = Record<string, AnyPgColumn>;

const columnsOf = (key: EntityKey): Columns => getTableColumns(tables[key]);

/** All columns that are written; the conversation is excluded because it is far larger than the rest of its session. */
const storedColumns = (key: EntityKey): Columns =>
  Object.fromEntries(
    Object.entries(columnsOf(key)).filter(
      ([name]) => !isProjection(entities[key], name) && !BYTE_COUNT_COLUMNS.has(name),
    ),
  );

/** What the statements on a table always say; rebuilding it for each statement takes longer than the rest of it. */
interface TableStatements {
  columns: readonly { name: string; column: AnyPgColumn; isTime: boolean }[];
  /** A row as one JSON array. */
  row: SQL;
  table: SQL;
  /** Precedes the rows, which are one JSON text. */
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
  // Computed columns have their initial value until they are computed.
  const initial = computed.map(([, { initial: value }]) => `'${JSON.stringify(value)}'::jsonb`);
  const updates = names.map((name) => `${name} = excluded.${name}`);
  return {
    columns,
    row: sql.raw(`json_build_array(${names.map((name) => `${table}.${name}`).join(', ')})`),
    table: sql.raw(table),
    insert: sql.raw(`insert into ${table} (${inserted.join(', ')})
      select ${[...names, ...initial].join(', ')} from json_populate_recordset(null::${table}, `),
    upsert: sql.raw(`::json)
      on conflict (${quote(columnName(entities[key].key))}) do update set ${updates.join(', ')}`),
  };
}

const quote = (name: string): string => `"${name}"`;

/** Stored rows by their key. A writer of learner rows must hold the lock of the learner's scope. */
export type StoredRows = Map<string, Values>;

/** Selects rows as one JSON text, which `parseRows` reads. Parsing one text is faster than parsing each column of each row. */
export function rowsAsJson(key: EntityKey, condition: SQL | undefined): SQL {
  const { row, table } = statementsOf(key);
  return sql`select coalesce(json_agg(${row}), '[]')::text from ${table} where ${condition}`;
}

const JsonRows = z.array(z.array(z.unknown()));

export function parseRows(key: EntityKey, json: string): StoredRows {
  const { columns } = statementsOf(key);
  return new Map(
    JsonRows.parse(JSON.parse(json)).map((values) => {
      const row: Values = {};
      for (const [index, { name, isTime }] of columns.entries()) {
        const value = values[index] ?? null;
        row[name] = isTime && value !== null ? new Date(String(value)) : value;
      }
      return [String(row[entities[key].key]), row];
    }),
  );
}

const Selected = z.tuple([z.object({ rows: z.string() })]);

export async function selectRows(tx: Database, key: EntityKey, condition: SQL | undefined): Promise<StoredRows> {
  const { rows } = (await tx.execute(sql`select (${rowsAsJson(key, condition)}) as rows`)) as { rows: unknown[] };
  const [selected] = Selected.parse(rows);
  return parseRows(key, selected.rows);
}

export const hasKeyAmong = (key: EntityKey, ids: Iterable<string>): SQL => isOneOf(keyColumn(key), ids);

/** Upserts rows; the database itself extracts the values from one JSON text. */
export function upsertRows(key: EntityKey, rows: readonly Values[]): SQL {
  const { columns, insert, upsert } = statementsOf(key);
  const asJson = JSON.stringify(
    rows.map((row) => {
      const stored: Values = {};
      for (const { name, column } of columns) stored[column.name] = row[name];
      return stored;
    }),
  );
  return sql`${insert}${asJson}${upsert}`;
}

function keyColumn(key: EntityKey): AnyPgColumn {
  const column = columnsOf(key)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key column`);
  return column;
}
