import { eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { keyColumn, type LearnerKey, type Store, tables, type Values } from '../store/index.ts';

/** Prepares a lookup of this device's rows by id. */
export function findStoredRow(store: Store, key: LearnerKey): (id: string) => Values | undefined {
  const table: SQLiteTable = tables[key];
  const find = store.db
    .select()
    .from(table)
    .where(eq(keyColumn(key), sql.placeholder('id')))
    .prepare();
  return (id) => find.get({ id });
}
