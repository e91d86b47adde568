/** The only way to change a learner's row: the row and its outbox entry in one transaction. */
import { entities } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isKeyTaken } from '../connection.ts';
import type { LearnerKey, NewRow } from '../schema/learner-keys.ts';
import { prepareForEachTable, prepareInsert } from './prepared-statements.ts';
import { fieldsToSend, queueChange } from './queue-change.ts';
import {
  accountDefaults,
  creationToWire,
  keyColumn,
  changedValues,
  parseFieldValues,
  initialValues,
  type Values,
} from './row-values.ts';
import { updateConversation } from './project-session.ts';
import type { Store } from '../store.ts';
import { tables } from '../schema/tables.ts';

/** Inserts a learner's row, or revives a deleted one. Timestamps and sync columns are added here. */
export const insertRow = <Key extends LearnerKey>(store: Store, key: Key, row: NewRow<Key>): void =>
  insertRows(store, key, [row]);

/** Does the same for several rows. Derived rows are computed once. */
export function insertRows<Key extends LearnerKey>(store: Store, key: Key, rows: readonly NewRow<Key>[]): void {
  const now = store.clock.now();
  const inserted = rows.map((row) => parseFieldValues(key, { ...row, createdAt: now, updatedAt: now }));
  store.transaction(() => {
    for (const values of inserted) {
      const rowId = String(values[entities[key].key]);
      const { base, createdAt } = insertOrRevive(store, key, { rowId, values });
      // A server that has forgotten the row recreates it from this change, and must give it the creation time that it
      // has here.
      const fields = creationToWire(key, { ...values, createdAt });
      queueChange(store, key, { rowId, op: 'upsert', fields, creates: true, base });
    }
    afterRowChanges(store, key, inserted);
  });
}

/** Returns the row's base version, 0 for a new row, and when it was first created. */
function insertOrRevive(
  store: Store,
  key: LearnerKey,
  { rowId, values }: { rowId: string; values: Values },
): { base: number; createdAt: unknown } {
  try {
    insertStatement(
      store,
      key,
    )({
      ...initialValues(key),
      ...values,
      ...accountDefaults(key),
      syncVersion: 0,
      deletedAt: null,
      fieldClocks: {},
    });
    return { base: 0, createdAt: values['createdAt'] };
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
    const deleted = readRow(store, key, rowId);
    if (deleted === undefined || deleted['deletedAt'] === null) throw error;
    const { createdAt } = deleted;
    store.db
      .update(tables[key] as SQLiteTable)
      .set({ ...values, createdAt, deletedAt: null })
      .where(eq(keyColumn(key), rowId))
      .run();
    return { base: Number(deleted['syncVersion']), createdAt };
  }
}

/** Changes fields of a learner's row. Unchanged fields are not sent, and without changes nothing is queued. */
export function updateRow<Key extends LearnerKey>(
  store: Store,
  key: Key,
  rowId: string,
  changes: Partial<NewRow<Key>>,
): void {
  store.transaction(() => changeRow(store, key, requireRow(store, key, rowId), changes));
}

/** Does the same for a row that has just been read. Values that are still the same object are not compared. */
export function changeRow<Key extends LearnerKey>(
  store: Store,
  key: Key,
  current: Values,
  changes: Partial<NewRow<Key>>,
): void {
  const rowId = String(current[entities[key].key]);
  store.transaction(() => {
    const changed = changedValues(current, parseFieldValues(key, changes));
    if (Object.keys(changed).length === 0) return;
    store.db
      .update(tables[key] as SQLiteTable)
      .set({ ...changed, updatedAt: store.clock.now() })
      .where(eq(keyColumn(key), rowId))
      .run();
    const fields = fieldsToSend(key, current, changed);
    queueChange(store, key, { rowId, op: 'upsert', fields, creates: false, base: Number(current['syncVersion']) });
    afterRowChanges(store, key, [{ ...current, ...changed }]);
  });
}

/** Leaves a tombstone, so that other devices learn of the deletion. */
export function removeRow(store: Store, key: LearnerKey, rowId: string): void {
  store.transaction(() => {
    const current = requireRow(store, key, rowId);
    const now = store.clock.now();
    store.db
      .update(tables[key] as SQLiteTable)
      .set({ deletedAt: now, updatedAt: now })
      .where(eq(keyColumn(key), rowId))
      .run();
    queueChange(store, key, {
      rowId,
      op: 'delete',
      fields: {},
      creates: false,
      base: Number(current['syncVersion']),
    });
    afterRowChanges(store, key, [current]);
  });
}

function afterRowChanges(store: Store, key: LearnerKey, rows: readonly Values[]): void {
  store.markChanged(entities[key].name);
  if (key !== 'aiConversations') return;
  const sessionIds = new Set(rows.map((row) => row['sessionId']));
  for (const sessionId of sessionIds) if (typeof sessionId === 'string') updateConversation(store, sessionId);
}

const selectRow = prepareForEachTable((store, key) =>
  store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(keyColumn(key), sql.placeholder('rowId')))
    .prepare(),
);

export const readRow = (store: Store, key: LearnerKey, rowId: string): Values | undefined =>
  selectRow(store, key).get({ rowId });

function requireRow(store: Store, key: LearnerKey, rowId: string): Values {
  const row = readRow(store, key, rowId);
  if (row === undefined) throw new Error(`no row to change in ${entities[key].name}`);
  return row;
}

export const insertStatement: (store: Store, key: LearnerKey) => (values: Values) => void = prepareForEachTable(
  (store, key) => prepareInsert(store, tables[key]),
);
