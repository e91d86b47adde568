/**
 * Keeps server rows that this app version cannot read, counts them for the learner, and reads them again after an
 * upgrade.
 */
import type { Mutation } from '@parley/contract';
import { entities } from '@parley/domain';
import { and, count, eq } from 'drizzle-orm';
import { type Store, type StoredKey, unreadRows } from '../../store/index.ts';

export function storeUnreadable(
  store: Store,
  key: StoredKey,
  fields: Mutation['fields'],
): { rowId: string; version: number } {
  const row = {
    userId: store.identity().userId,
    tableName: entities[key].name,
    rowId: toKeyText(fields[entities[key].key]),
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

/** A row without a readable key is kept as well; it is pulled again after an upgrade. */
const toKeyText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** Call this when the row has arrived in a readable form. */
export const deleteUnreadable = (store: Store, key: StoredKey, rowId: string): void =>
  void store.db
    .delete(unreadRows)
    .where(and(eq(unreadRows.tableName, entities[key].name), eq(unreadRows.rowId, rowId)))
    .run();

export const countUnreadable = (store: Store): number =>
  store.db.select({ total: count() }).from(unreadRows).where(eq(unreadRows.userId, store.identity().userId)).get()
    ?.total ?? 0;
