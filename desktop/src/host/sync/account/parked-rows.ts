/**
 * Rows that exist only on this device, while their owner is not signed in. The server has refused them, so they cannot
 * be pulled again; they are parked as changes and rebuilt from those.
 */
import { entities, type Field, isDeletedBy, SessionId } from '@parley/domain';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { clocksOrUpdateTime } from '../pull/apply-rows.ts';
import type { Values } from '../pull/overlay-unsent-changes.ts';
import { forgetRejectionsOfRow } from '../quarantine/rejected-changes.ts';
import {
  aiConversations,
  applyToRow,
  LEARNER_KEYS,
  type LearnerKey,
  openRestoreQueue,
  outbox,
  ownerColumn,
  prepareOnce,
  readRow,
  rowsOneByOne,
  type Store,
  tables,
  updateConversations,
} from '../../store/index.ts';

interface RowName {
  key: LearnerKey;
  rowId: string;
}

const toText = ({ key, rowId }: RowName): string => `${entities[key].name} ${rowId}`;

/**
 * Queues the learner's rows that the server does not have and that are not waiting in the outbox. It also queues rows
 * that the server does have, if waiting rows refer to them: the account may be erased before its owner returns.
 */
export function queueRowsToPark(store: Store): void {
  const waiting = listUnsentCreations(store);
  const queued = new Map<string, RowName>();
  for (const { key, row } of refusedRows(store, waiting)) {
    const rowId = String(row[entities[key].key]);
    // Rows on the server to which they refer are parked as well, so that they can be shown before anything is pulled.
    for (const parent of parentsOf(store, key, row)) queued.set(toText(parent), parent);
    queued.set(toText({ key, rowId }), { key, rowId });
    // The whole row is sent instead of these changes.
    forgetRejectionsOfRow(store, { tableName: entities[key].name, rowId });
  }
  for (const { key, rowId } of waiting.values())
    for (const parent of parentsOf(store, key, readRow(store, key, rowId) ?? {})) {
      if (waiting.has(toText(parent)) || queued.has(toText(parent))) continue;
      queued.set(toText(parent), parent);
      for (const turn of parent.key === 'practiceHistory' ? turnsOf(store, parent.rowId) : [])
        if (!waiting.has(toText(turn))) queued.set(toText(turn), turn);
    }
  const queue = openRestoreQueue(store, { atMost: queued.size });
  const parentsFirst = [...queued.values()].toSorted(
    (a, b) => LEARNER_KEYS.indexOf(a.key) - LEARNER_KEYS.indexOf(b.key),
  );
  for (const { key, rowId } of parentsFirst) {
    const row = readRow(store, key, rowId);
    if (row !== undefined) queue({ key, row: { ...row, fieldClocks: clocksOrUpdateTime(store, row) } });
  }
}

function listUnsentCreations(store: Store): Map<string, RowName> {
  const created = store.db
    .select({ tableName: outbox.tableName, rowId: outbox.rowId })
    .from(outbox)
    .where(and(isNull(outbox.parkedFor), eq(outbox.creates, true)))
    .all();
  return new Map(
    created.flatMap(({ tableName, rowId }): [string, RowName][] => {
      const key = LEARNER_KEYS.find((each) => entities[each].name === tableName);
      return key === undefined ? [] : [[toText({ key, rowId }), { key, rowId }]];
    }),
  );
}

const turnsOf = ({ db }: Store, sessionId: string): RowName[] =>
  db
    .select({ rowId: aiConversations.conversationId })
    .from(aiConversations)
    .where(and(eq(aiConversations.sessionId, SessionId.parse(sessionId)), isNull(aiConversations.deletedAt)))
    .all()
    .map(({ rowId }) => ({ key: 'aiConversations', rowId }));

function* refusedRows(
  store: Store,
  waiting: ReadonlyMap<string, RowName>,
): Generator<{ key: LearnerKey; row: Values }> {
  const { userId } = store.identity();
  for (const key of LEARNER_KEYS.filter((each) => each !== 'users')) {
    const { syncVersion, deletedAt } = tables[key];
    const isUnconfirmed = and(eq(syncVersion, 0), isNull(deletedAt), eq(ownerColumn(key), userId));
    for (const row of rowsOneByOne(store, key, isUnconfirmed)) {
      if (waiting.has(toText({ key, rowId: String(row[entities[key].key]) }))) continue;
      if (key !== 'aiConversations' || !isOfDeletedSession(store, row)) yield { key, row };
    }
  }
}

function isOfDeletedSession(store: Store, { sessionId }: Values): boolean {
  return typeof sessionId === 'string' && readRow(store, 'practiceHistory', sessionId)?.['deletedAt'] !== null;
}

function parentsOf(store: Store, key: LearnerKey, row: Values): RowName[] {
  return Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
    const parentKey = LEARNER_KEYS.find((each) => entities[each].name === references?.entity);
    const id = row[name];
    if (parentKey === undefined || parentKey === 'users' || typeof id !== 'string') return [];
    const parent = readRow(store, parentKey, id);
    return parent === undefined || parent['deletedAt'] !== null ? [] : [{ key: parentKey, rowId: id }];
  });
}

/** The outbox positions of the changes parked for the learner, oldest first. */
export const listParkedFor = ({ db }: Store, userId: string): number[] =>
  db
    .select({ position: outbox.position })
    .from(outbox)
    .where(eq(outbox.parkedFor, userId))
    .orderBy(asc(outbox.position))
    .all()
    .map(({ position }) => position);

/** The changes of a long history would take gigabytes of memory, so they are read one by one. */
const selectChange = prepareOnce(({ db }) =>
  db
    .select()
    .from(outbox)
    .where(eq(outbox.position, sql.placeholder('position')))
    .prepare(),
);

/** Recreates the rows that the parked changes create. The server's own state of them is pulled later. */
export function showParkedRows(store: Store, positions: readonly number[]): void {
  // A row whose parent has yet to be pulled must fail here and not with the whole transaction.
  store.sqlite.pragma('defer_foreign_keys = OFF');
  const shown = new Set<string>();
  const sessionIds = new Set<string>();
  for (const position of positions) {
    const change = selectChange(store).get({ position });
    if (change === undefined) continue;
    const { tableName, rowId, op, fields, creates, clocks } = change;
    const key = LEARNER_KEYS.find((each) => entities[each].name === tableName);
    if (key === undefined || key === 'users' || (op === 'restore' && isDeletedBy(clocks ?? {}))) continue;
    if (!creates && !shown.has(`${tableName} ${rowId}`)) continue;
    if (!applyToRow(store, key, { rowId, op, fields, creates, ...(clocks && { clocks }) })) continue;
    shown.add(`${tableName} ${rowId}`);
    const sessionId = key === 'aiConversations' ? fields['sessionId'] : null;
    if (typeof sessionId === 'string') sessionIds.add(sessionId);
    store.markChanged(entities[key].name);
  }
  // A conversation is computed from all turns of its session, so this is done once per session.
  updateConversations(store, sessionIds);
}
