/** Rows of the server that this version of the app cannot read: kept as they came, counted for the learner, and read again after an upgrade. */
import type { Mutation } from '@parley/contract';
import { entities } from '@parley/domain';
import { and, count, eq } from 'drizzle-orm';
import { type Store, type StoredKey, unreadRows } from '../store/index.ts';

export function keepUnread(
  store: Store,
  key: StoredKey,
  fields: Mutation['fields'],
): { rowId: string; version: number } {
  const row = {
    userId: store.identity().userId,
    tableName: entities[key].name,
    rowId: textIn(fields[entities[key].key]),
    version: Number(fields['syncVersion']) || 0,
    fields,
  };
  store.db
    .insert(unreadRows)
    .values(row)
    .onConflictDoUpdate({ target: [unreadRows.tableName, unreadRows.rowId], set: row })
    .run();
  return row;
}

/** A row without a readable key is kept all the same: it comes again after an upgrade. */
const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** The row has come in a form that can be read. */
export const forgetUnread = (store: Store, key: StoredKey, rowId: string): void =>
  void store.db
    .delete(unreadRows)
    .where(and(eq(unreadRows.tableName, entities[key].name), eq(unreadRows.rowId, rowId)))
    .run();

export const unreadCount = (store: Store): number =>
  store.db.select({ total: count() }).from(unreadRows).where(eq(unreadRows.userId, store.identity().userId)).get()
    ?.total ?? 0;
