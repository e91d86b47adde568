/** Reads a learner's rows one by one, because a long history as a whole would take gigabytes of memory. */
import { eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { LearnerKey } from '../schema/learner-keys.ts';
import { tables } from '../schema/tables.ts';
import type { Store } from '../store.ts';
import { prepareForEachTable } from './prepared-statements.ts';
import type { Values } from './row-values.ts';

/** A row's position in its table, which stays the same when the row is changed. */
export type RowPlace = number;

export function placesOf(
  store: Store,
  key: LearnerKey,
  where: SQL | undefined,
  { isInOrder = false } = {},
): RowPlace[] {
  const places = store.db
    .select({ place: sql<RowPlace>`rowid` })
    .from(tables[key] as SQLiteTable)
    .where(where);
  const { sql: text, params } = (isInOrder ? places.orderBy(sql`rowid`) : places).toSQL();
  return store.sqlite
    .prepare<unknown[], RowPlace>(text)
    .pluck()
    .all(...params);
}

const selectAt = prepareForEachTable((store, key) =>
  store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(sql`rowid`, sql.placeholder('place')))
    .prepare(),
);

export function rowAt(store: Store, key: LearnerKey, place: RowPlace): Values {
  const row: Values | undefined = selectAt(store, key).get({ place });
  if (row === undefined) throw new Error(`a row of ${key} is gone`);
  return row;
}

/** Rows that are inserted in the meantime are left out. */
export function* rowsOneByOne(store: Store, key: LearnerKey, where: SQL | undefined): Generator<Values> {
  for (const place of placesOf(store, key, where)) yield rowAt(store, key, place);
}
