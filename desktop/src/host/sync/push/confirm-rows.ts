/** Marks applied changes as confirmed and sets the fields the server sets, so that the rows need not be pulled. */
import type { PushResponse } from '@parley/contract';
import { clocksAfterEdit, initialClocks, entities, type FieldClocks } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { keyColumn, LEARNER_KEYS, type LearnerKey, type Store, tables } from '../../store/index.ts';
import type { OutboxRow } from './outbox-row.ts';
import { removeUnlessReferenced } from '../restore/resync.ts';

interface AppliedChange {
  change: OutboxRow;
  /** The hybrid time that the server recorded for the change. */
  at: string;
}

export function confirmRows(store: Store, applied: readonly AppliedChange[], answer: PushResponse): void {
  const byTable = Map.groupBy(applied, ({ change }) => change.tableName);
  for (const [tableName, changes] of byTable) {
    const key = LEARNER_KEYS.find((each) => entities[each].name === tableName);
    if (key === undefined) continue;
    confirmTable(store, key, { changes, answer });
    store.markChanged(tableName);
  }
}

function confirmTable(
  store: Store,
  key: LearnerKey,
  { changes, answer }: { changes: readonly AppliedChange[]; answer: PushResponse },
): void {
  const table: SQLiteTable = tables[key];
  const updatedAt = new Date(answer.at);
  const ids = JSON.stringify(changes.map(({ change }) => change.rowId));
  const known: { id: unknown; clocks: unknown; version: number }[] = store.db
    .select({ id: keyColumn(key), clocks: tables[key].fieldClocks, version: tables[key].syncVersion })
    .from(table)
    .where(sql`${keyColumn(key)} in (select value from json_each(${ids}))`)
    .all();
  const confirmed = new Set(known.flatMap(({ id, version }) => (version > 0 ? [String(id)] : [])));
  const clocksById = new Map(known.map(({ id, clocks }) => [String(id), clocks as FieldClocks]));
  const deleted = new Set<string>();
  for (const { change, at } of changes) {
    clocksById.set(change.rowId, clocksAfter(key, clocksById.get(change.rowId) ?? {}, { change, at }));
    if (change.op === 'delete') deleted.add(change.rowId);
    else deleted.delete(change.rowId);
  }
  for (const [rowId, fieldClocks] of clocksById) {
    if (deleted.has(rowId) && !confirmed.has(rowId) && !wasWritten(changes, rowId)) {
      removeUnlessReferenced(store, key, rowId);
      continue;
    }
    const isDeleted = deleted.has(rowId) ? { deletedAt: updatedAt } : {};
    store.db
      .update(table)
      .set({ syncVersion: answer.userVersion, updatedAt, fieldClocks, ...isDeleted })
      .where(eq(keyColumn(key), rowId))
      .run();
  }
}

/** Whether the server accepted more than the deletion; otherwise the row's creation was rejected. */
const wasWritten = (changes: readonly AppliedChange[], rowId: string): boolean =>
  changes.some(({ change }) => change.rowId === rowId && change.op !== 'delete');

/** Returns the row's field times as the server holds them after the change. */
function clocksAfter(key: LearnerKey, clocks: FieldClocks, { change, at }: AppliedChange): FieldClocks {
  if (change.op === 'delete') return { ...clocks, deletedAt: at };
  if (change.creates && Object.keys(clocks).length === 0) return initialClocks(at);
  return clocksAfterEdit(key, clocks, { names: Object.keys(JSON.parse(change.fields) as object), at });
}
