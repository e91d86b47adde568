/**
 * Prepares statements once per store for bulk work such as a first sync. Building a statement takes longer than running
 * it.
 */
import { entities, type Field, isProjection } from '@parley/domain';
import { getTableColumns, Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Store } from '../store.ts';
import { type StoredKey, tables } from '../schema/tables.ts';

/** Returns a function that returns a store's statement and prepares it on first use. */
export function prepareOnce<Statement>(prepare: (store: Store) => Statement): (store: Store) => Statement {
  const statements = new WeakMap<Store, Statement>();
  return (store) => {
    const statement = statements.get(store) ?? prepare(store);
    statements.set(store, statement);
    return statement;
  };
}

/** Does the same for a statement that each table has. */
export function prepareForEachTable<Statement>(
  prepare: (store: Store, key: StoredKey) => Statement,
): (store: Store, key: StoredKey) => Statement {
  const statementsOf = prepareOnce(() => new Map<StoredKey, Statement>());
  return (store, key) => {
    const statements = statementsOf(store);
    const statement = statements.get(key) ?? prepare(store, key);
    statements.set(key, statement);
    return statement;
  };
}

type RowValues = Record<string, unknown>;

/** A placeholder for a field's value in a statement for `prepareRowStatement`. */
export const valuePlaceholder = (name: string): SQL => sql`${sql.placeholder(name)}`;

/**
 * Prepares a statement and returns a function that runs it with a row's encoded values. Fields that the row lacks get
 * their value from `initial`, or null.
 */
export function prepareRowStatement(
  store: Store,
  table: SQLiteTable,
  statement: { sql: string; params: unknown[] },
  initial: RowValues = {},
): (values: RowValues) => void {
  const columns = getTableColumns(table) as Record<string, AnySQLiteColumn>;
  const prepared = store.sqlite.prepare(statement.sql);
  const parameters = statement.params.map((param) => {
    const name = param instanceof Placeholder ? String(param.name) : '';
    const column = columns[name];
    if (column === undefined) throw new Error('a prepared statement has a parameter that is not a column of the table');
    return { name, column, missing: initial[name] ?? null };
  });
  return (values) => {
    const encoded = parameters.map(({ name, column, missing }) => {
      const value = name in values ? (values[name] ?? null) : missing;
      return value === null ? null : column.mapToDriverValue(value);
    });
    prepared.run(...encoded);
  };
}

/** Inserts a complete row; missing fields are null. */
export const prepareInsert = (store: Store, table: SQLiteTable): ((values: RowValues) => void) => {
  const names = Object.keys(getTableColumns(table));
  const insert = store.db.insert(table).values(Object.fromEntries(names.map((name) => [name, valuePlaceholder(name)])));
  return prepareRowStatement(store, table, insert.toSQL());
};

/** Inserts the row or replaces the row with the same key, except for fields that only this device computes. */
export function prepareUpsert(
  store: Store,
  key: StoredKey,
  condition: (columns: Record<string, AnySQLiteColumn>) => SQL | undefined,
): (values: RowValues) => void {
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
    .values(Object.fromEntries(names.map((name) => [name, valuePlaceholder(name)])))
    .onConflictDoUpdate({
      target,
      set: Object.fromEntries(
        names
          .filter((name) => name !== entities[key].key && !computed.includes(name))
          .map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]),
      ),
      ...(setWhere === undefined ? {} : { setWhere }),
    });
  return prepareRowStatement(store, table, upsert.toSQL(), { fieldClocks: {}, ...initial });
}
