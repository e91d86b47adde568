/** Rows as the server holds them, read and written many at a time. */
import { columnName, entities, type EntityKey } from '@parley/domain';
import { getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { Values } from './plan-mutation.ts';

/** By the value of their key; who writes rows of a learner holds the lock of the learner's scope. */
export async function loadRows(tx: Database, key: EntityKey, ids: readonly string[]): Promise<Map<string, Values>> {
  const table: PgTable = tables[key];
  const rows: Values[] = await tx
    .select()
    .from(table)
    .where(inArray(keyColumn(key), [...ids]));
  return new Map(rows.map((row) => [String(row[entities[key].key]), row]));
}

/** Inserts them, or puts them in the place of what is there; the database itself reads the values out of one JSON text. */
export async function storeRows(tx: Database, key: EntityKey, rows: readonly Values[]): Promise<void> {
  const table: PgTable = tables[key];
  const columns = Object.keys(getTableColumns(table)).map((name) => ({ name, column: columnName(name) }));
  const asJson = JSON.stringify(
    rows.map((row) => {
      const stored: Values = {};
      for (const { name, column } of columns) stored[column] = row[name];
      return stored;
    }),
  );
  const names = columns.map(({ column }) => sql.identifier(column));
  const excluded = names.map((name): SQL => sql`${name} = excluded.${name}`);
  await tx.execute(sql`
    insert into ${table} (${sql.join(names, sql`, `)})
    select ${sql.join(names, sql`, `)} from json_populate_recordset(null::${table}, ${asJson}::json)
    on conflict (${sql.identifier(columnName(entities[key].key))}) do update set ${sql.join(excluded, sql`, `)}`);
}

function keyColumn(key: EntityKey): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key column`);
  return column;
}
