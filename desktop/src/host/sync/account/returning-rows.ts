/**
 * Finds the rows that this device has imported from a file of the account that it joins. They are rows of that account,
 * so they get back the ids that they have there, and are sent with the times of their fields, so that they replace
 * nothing newer. A device that no server knows keeps the ids of its rows in each account. Its imported rows are then
 * sent with their times to every account, because the device may join the file's account later.
 */
import { entities, type LearnerId } from '@parley/domain';
import { eq, getTableColumns, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  fieldTimesOf,
  importedRows,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  prepareRowStatement,
  readRow,
  type Store,
  tables,
  valuePlaceholder,
} from '../../store/index.ts';

/** The ids that rows have here, each with its id in the account. */
export type ReturningRows = ReadonlyMap<string, string>;

/** Also adds the times of unsent changes to the rows. Call this while those changes still exist. */
export function findReturningRows(store: Store, { to, keepsIds }: { to: LearnerId; keepsIds: boolean }): ReturningRows {
  const newIds = new Map<string, string>();
  for (const key of LEARNER_KEYS) {
    const found = listImported(store, key, keepsIds ? undefined : eq(importedRows.fromUserId, to));
    if (found.length === 0) continue;
    const timesOf = fieldTimesOf(store, key);
    const setTimes = prepareTimes(store, key);
    for (const { rowId, fromUserId, originalId } of found) {
      const row = readRow(store, key, rowId);
      if (row === undefined) continue;
      if (fromUserId === to) newIds.set(rowId, originalId);
      else if (!newIds.has(rowId)) newIds.set(rowId, rowId);
      setTimes({ [entities[key].key]: rowId, fieldClocks: timesOf(row) });
    }
  }
  return newIds;
}

/** Imported rows that exist here, by where they came from. */
export const listImported = (
  { db }: Store,
  key: LearnerKey,
  where: SQL | undefined,
): (typeof importedRows.$inferSelect)[] =>
  db
    .select(getTableColumns(importedRows))
    .from(importedRows)
    .innerJoin(tables[key] as SQLiteTable, eq(keyColumn(key), importedRows.rowId))
    .where(where)
    .all();

function prepareTimes(store: Store, key: LearnerKey): (row: Record<string, unknown>) => void {
  const table: SQLiteTable = tables[key];
  const update = store.db
    .update(table)
    .set({ fieldClocks: valuePlaceholder('fieldClocks') })
    .where(eq(keyColumn(key), valuePlaceholder(entities[key].key)));
  return prepareRowStatement(store, table, update.toSQL());
}
