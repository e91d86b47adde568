/**
 * Rows that only this device has, while their owner is not signed in. The server has refused them, so that they would not return from it;
 * they are parked as changes, and shown again from these.
 */
import { entities, type Field, isDeletedBy } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { clocksOrUpdateTime } from '../pull/apply-rows.ts';
import type { Values } from '../pull/overlay-unsent-changes.ts';
import { forgetRejectionsOfRow } from '../quarantine/rejected-changes.ts';
import {
  applyToRow,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  queueRestores,
  readRow,
  type Store,
  tables,
  updateConversations,
} from '../../store/index.ts';

interface LearnerRow {
  key: LearnerKey;
  row: Values;
}

const rowIdOf = ({ key, row }: LearnerRow): string => String(row[entities[key].key]);
const nameOf = (row: LearnerRow): string => `${entities[row.key].name} ${rowIdOf(row)}`;

/** Queues the learner's rows that the server does not have and that do not wait in the outbox. */
export function queueRefusedRows(store: Store): void {
  const queued = new Map<string, LearnerRow>();
  for (const refused of listRefusedRows(store)) {
    // Rows of the server that they refer to come along, so that they can be shown before anything is pulled.
    for (const parent of parentsOf(store, refused)) queued.set(nameOf(parent), parent);
    queued.set(nameOf(refused), refused);
    // The whole row is sent in their place.
    forgetRejectionsOfRow(store, { tableName: entities[refused.key].name, rowId: rowIdOf(refused) });
  }
  queueRestores(
    store,
    [...queued.values()]
      .toSorted((a, b) => LEARNER_KEYS.indexOf(a.key) - LEARNER_KEYS.indexOf(b.key))
      .map(({ key, row }) => ({ key, row: { ...row, fieldClocks: clocksOrUpdateTime(store, row) } })),
  );
}

function listRefusedRows(store: Store): LearnerRow[] {
  const { userId } = store.identity();
  const waiting = new Set(
    store.db
      .select({ tableName: outbox.tableName, rowId: outbox.rowId })
      .from(outbox)
      .where(and(isNull(outbox.putAwayFor), eq(outbox.creates, true)))
      .all()
      .map(({ tableName, rowId }) => `${tableName} ${rowId}`),
  );
  return LEARNER_KEYS.filter((key) => key !== 'users')
    .flatMap((key) => {
      const rows: Values[] = store.db
        .select()
        .from(tables[key] as SQLiteTable)
        .where(and(eq(tables[key].syncVersion, 0), isNull(tables[key].deletedAt)))
        .all();
      return rows.map((row): LearnerRow => ({ key, row }));
    })
    .filter((each) => each.row['userId'] === userId && !waiting.has(nameOf(each)))
    .filter(({ key, row }) => key !== 'aiConversations' || !isOfDeletedSession(store, row));
}

function isOfDeletedSession(store: Store, { sessionId }: Values): boolean {
  return typeof sessionId === 'string' && readRow(store, 'practiceHistory', sessionId)?.['deletedAt'] !== null;
}

function parentsOf(store: Store, { key, row }: LearnerRow): LearnerRow[] {
  return Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
    const parentKey = LEARNER_KEYS.find((each) => entities[each].name === references?.entity);
    const id = row[name];
    if (parentKey === undefined || parentKey === 'users' || typeof id !== 'string') return [];
    const parent = readRow(store, parentKey, id);
    return parent === undefined || parent['deletedAt'] !== null ? [] : [{ key: parentKey, row: parent }];
  });
}

/** A change that was parked for the learner who has signed in. */
type ParkedChange = typeof outbox.$inferSelect;

export const listParkedFor = ({ db }: Store, userId: string): ParkedChange[] =>
  db.select().from(outbox).where(eq(outbox.putAwayFor, userId)).orderBy(asc(outbox.position)).all();

/** Makes the rows again that the changes create. The server's own state of them is pulled later. */
export function showParkedRows(store: Store, parked: readonly ParkedChange[]): void {
  // A row whose parent is still to be pulled must fail here, and not with the whole transaction.
  store.sqlite.pragma('defer_foreign_keys = OFF');
  const shown = new Set<string>();
  const sessionIds = new Set<string>();
  for (const { tableName, rowId, op, fields, creates, clocks } of parked) {
    const key = LEARNER_KEYS.find((each) => entities[each].name === tableName);
    if (key === undefined || key === 'users' || (op === 'restore' && isDeletedBy(clocks ?? {}))) continue;
    if (!creates && !shown.has(`${tableName} ${rowId}`)) continue;
    if (!applyToRow(store, key, { rowId, op, fields, creates, ...(clocks && { clocks }) })) continue;
    shown.add(`${tableName} ${rowId}`);
    const sessionId = key === 'aiConversations' ? fields['sessionId'] : null;
    if (typeof sessionId === 'string') sessionIds.add(sessionId);
    store.markChanged(entities[key].name);
  }
  // A conversation is computed from all turns of its session, so this is done once for each session.
  updateConversations(store, sessionIds);
}
