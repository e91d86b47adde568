/** Marks applied changes as confirmed and sets the fields that the server sets, so that the rows need not be pulled. */
import type { PushResponse } from '@parley/contract';
import { clocksAfterEdit, initialClocks, entities, type FieldClocks } from '@parley/domain';
import { sql } from 'drizzle-orm';
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

/** The learner may still restore a session with its words, although the server never had room for them. */
const CAN_BE_UNDELETED: ReadonlySet<LearnerKey> = new Set(['practiceHistory', 'wordAttempts']);

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
  const confirmedRows: { id: string; clocks: FieldClocks; isDeleted: boolean }[] = [];
  for (const [id, clocks] of clocksById) {
    const isDeleted = deleted.has(id);
    const wasNeverStored = !confirmed.has(id) && !wasWritten(changes, id);
    if (isDeleted && wasNeverStored && !CAN_BE_UNDELETED.has(key)) removeUnlessReferenced(store, key, id);
    else confirmedRows.push({ id, clocks, isDeleted });
  }
  // One statement for all rows, because building one for each takes longer than running it.
  store.db
    .update(table)
    .set({
      syncVersion: answer.userVersion,
      updatedAt,
      fieldClocks: sql`row.value -> 'clocks'`,
      deletedAt: sql`iif(row.value -> 'isDeleted' = 'true', ${updatedAt.getTime()}, ${tables[key].deletedAt})`,
    })
    .from(sql`json_each(${JSON.stringify(confirmedRows)}) as row`)
    .where(sql`${keyColumn(key)} = row.value ->> 'id'`)
    .run();
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
