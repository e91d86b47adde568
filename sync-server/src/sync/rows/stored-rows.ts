/** Reads and writes the server's rows in bulk; columns computed from other rows are left alone. */
import { columnName, entities, type EntityKey, isProjection } from '@parley/domain';
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
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

/** Returns rows by their key. A writer of learner rows must hold the lock of the learner's scope. */
export const loadRows = (tx: Database, key: EntityKey, ids: readonly string[]): Promise<Map<string, Values>> =>
  selectRows(tx, key, isOneOf(keyColumn(key), ids));

export async function selectRows(
  tx: Database,
  key: EntityKey,
  condition: SQL | undefined,
): Promise<Map<string, Values>> {
  const table: PgTable = tables[key];
  const rows: Values[] = await tx.select(storedColumns(key)).from(table).where(condition);
  return new Map(rows.map((row) => [String(row[entities[key].key]), row]));
}

/** Upserts the rows; the database itself extracts the values from one JSON text. */
export async function storeRows(tx: Database, key: EntityKey, rows: readonly Values[]): Promise<void> {
  const table: PgTable = tables[key];
  const own = Object.keys(storedColumns(key)).map((name) => ({ name, column: columnName(name) }));
  const asJson = JSON.stringify(
    rows.map((row) => {
      const stored: Values = {};
      for (const { name, column } of own) stored[column] = row[name];
      return stored;
    }),
  );
  const names = own.map(({ column }) => sql.identifier(column));
  const computed = Object.entries(entities[key].fields).filter(([name]) => isProjection(entities[key], name));
  const inserted = [...names, ...computed.map(([name]) => sql.identifier(columnName(name)))];
  // Computed columns have their initial value until they are computed.
  const initial = computed.map(([, { initial: value }]): SQL => sql`${JSON.stringify(value)}::jsonb`);
  const excluded = names.map((name): SQL => sql`${name} = excluded.${name}`);
  await tx.execute(sql`
    insert into ${table} (${sql.join(inserted, sql`, `)})
    select ${sql.join([...names, ...initial], sql`, `)} from json_populate_recordset(null::${table}, ${asJson}::json)
    on conflict (${sql.identifier(columnName(entities[key].key))}) do update set ${sql.join(excluded, sql`, `)}`);
}

function keyColumn(key: EntityKey): AnyPgColumn {
  const column = columnsOf(key)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key column`);
  return column;
}
