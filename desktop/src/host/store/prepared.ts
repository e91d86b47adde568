/**
 * Statements that are prepared once a store, for what runs thousands of times: a first sync, an offline month. Building a statement
 * anew takes drizzle and SQLite longer than running it.
 */
import { entities, type Field, isProjection } from '@parley/domain';
import { getTableColumns, Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Store } from './store.ts';
import { type StoredKey, tables } from './tables.ts';

type Values = Record<string, unknown>;

/** Stands for the value of a field in a statement for `prepareFor`. */
export const valueOf = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** Runs a statement of such placeholders with the values of a row, encoded as its columns are. */
export function prepareFor(
  store: Store,
  table: SQLiteTable,
  statement: { sql: string; params: unknown[] },
): (values: Values) => void {
  const columns = getTableColumns(table) as Record<string, AnySQLiteColumn>;
  const prepared = store.sqlite.prepare(statement.sql);
  const parameters = statement.params.map((param) => {
    const name = param instanceof Placeholder ? String(param.name) : '';
    const column = columns[name];
    if (column === undefined) throw new Error('a statement takes more than the values of a row');
    return { name, column };
  });
  return (values) => {
    const encoded = parameters.map(({ name, column }) => {
      const value = values[name] ?? null;
      return value === null ? null : column.mapToDriverValue(value);
    });
    prepared.run(...encoded);
  };
}

/** Inserts a whole row; fields that are left out are null. */
export const prepareInsert = (store: Store, table: SQLiteTable): ((values: Values) => void) => {
  const names = Object.keys(getTableColumns(table));
  const insert = store.db.insert(table).values(Object.fromEntries(names.map((name) => [name, valueOf(name)])));
  return prepareFor(store, table, insert.toSQL());
};

/** Inserts the row, or puts it in the place of the one with its key; what only this device computes stays as it is. */
export function prepareUpsert(
  store: Store,
  key: StoredKey,
  condition: (columns: Record<string, AnySQLiteColumn>) => SQL | undefined,
): (values: Values) => void {
  const table: SQLiteTable = tables[key];
  const columns = getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>;
  const names = Object.keys(columns);
  const computed = names.filter((name) => isProjection(entities[key], name));
  const initial = Object.fromEntries(
    computed.map((name) => [name, (entities[key].fields as Record<string, Field>)[name]?.initial ?? null]),
  );
  const target = columns[entities[key].key];
  if (target === undefined) throw new Error(`${key} has no key`);
  const setWhere = condition(columns);
  const upsert = store.db
    .insert(table)
    .values(Object.fromEntries(names.map((name) => [name, valueOf(name)])))
    .onConflictDoUpdate({
      target,
      set: Object.fromEntries(
        names
          .filter((name) => name !== entities[key].key && !computed.includes(name))
          .map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]),
      ),
      ...(setWhere === undefined ? {} : { setWhere }),
    });
  const run = prepareFor(store, table, upsert.toSQL());
  return (values) => run({ fieldClocks: {}, ...initial, ...values });
}
