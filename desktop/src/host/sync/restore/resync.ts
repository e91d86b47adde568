/**
 * Pulls everything again without losing data. Local rows stay in use while the server's rows arrive; missing rows are
 * removed or restored only at the end.
 */
import { ORPCError } from '@orpc/client';
import type { ResyncReason } from '@parley/contract';
import { entities, type Field, unitFieldsOf } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  isForeignKeyFailure,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  queueRestores,
  readSyncState,
  rejectedChanges,
  resyncSeen,
  type Store,
  syncState,
  tables,
  rebuildWords,
} from '../../store/index.ts';
import { type AppliedRow, clocksOrUpdateTime } from '../pull/apply-rows.ts';
import { clocksOf } from '../pull/overlay-unsent-changes.ts';

/**
 * `purged`: rows missing on the server were deleted. `epoch`: the server was restored, so missing rows are sent back to
 * it.
 */
export function beginResync(store: Store, reason: ResyncReason): void {
  store.transaction(() => {
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: reason, userCursor: 0, olderCursor: null, pullsTurnsLater: false }).run();
    if (reason === 'epoch') resetVersions(store);
  });
}

/** Versions of different epochs cannot be compared. */
function resetVersions(store: Store): void {
  for (const key of LEARNER_KEYS) {
    const table: SQLiteTable = tables[key];
    store.db.update(table).set({ syncVersion: 0 }).run();
  }
  store.db.update(outbox).set({ base: 0, state: 'waiting', deviceSeq: null }).run();
  store.db.update(syncState).set({ epoch: null, catalogueCursor: 0, nextDeviceSeq: 0 }).run();
}

/** Nothing is pushed before the pull ends, because unsent changes may refer to rows that the server has lost. */
export const mustPullBeforePush = (store: Store): boolean => readResyncReason(store) === 'epoch';

/** Begins a resync that reads everything, with all turns, from a server that cannot send turns later. */
export const pullWholeError = (): ORPCError<string, unknown> =>
  new ORPCError('sync.resync', { status: 410, data: { detail: 'purged' satisfies ResyncReason } });

export const isResyncing = (store: Store): boolean => readResyncReason(store) !== null;

const readResyncReason = (store: Store): ResyncReason | null => readSyncState(store).resync;

export function storeSeenRows(store: Store, rows: readonly AppliedRow[]): void {
  if (readResyncReason(store) === null) return;
  for (const { key, rowId, version, isNewerHere } of rows) {
    const seen = { tableName: entities[key].name, rowId, version, isNewerHere };
    store.db
      .insert(resyncSeen)
      .values(seen)
      .onConflictDoUpdate({ target: [resyncSeen.tableName, resyncSeen.rowId], set: { version, isNewerHere } })
      .run();
  }
}

/** The stream has ended, so rows that were not seen are not on the server. */
export function finishResync(store: Store): void {
  const reason = readResyncReason(store);
  if (reason === null) return;
  store.transaction(() => {
    if (reason === 'epoch') queueRestores(store, lostRows(store));
    if (reason === 'purged') removeDeleted(store);
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: null }).run();
    rebuildWords(store);
  });
}

/** Returns rows that the server lacks or holds in an older state, parents first. */
function lostRows(store: Store): { key: LearnerKey; row: Values }[] {
  const { userId } = store.identity();
  return LEARNER_KEYS.flatMap((key) => {
    const seen = readSeenRows(store, key);
    const unsent = rowsWithUnsentChanges(store, key, { isCreation: true });
    // A row that the server once held has field times. It is sent back even if its next change makes it again, because
    // other lost rows refer to it.
    const wasNeverSent = (row: Values): boolean =>
      unsent.has(rowIdOf(key, row)) && Object.keys(clocksOf(row)).length === 0;
    return readRows(store, key)
      .filter((row) => row['userId'] === userId && (seen.get(rowIdOf(key, row))?.isNewerHere ?? !wasNeverSent(row)))
      .map((row) => ({ key, row: withoutUnsent(store, key, row) }));
  });
}

/**
 * Queues all rows for a server that may have lost some, with their own times. They have no effect on a server that has
 * them. A profile that the learner never set has no times and would overwrite what another device set.
 */
export function queueAllRows(store: Store): void {
  store.db.delete(resyncSeen).run();
  queueRestores(
    store,
    lostRows(store)
      .filter(({ key, row }) => key !== 'users' || Object.keys(clocksOf(row)).length > 0)
      .map(({ key, row }) => ({ key, row: { ...row, fieldClocks: clocksOrUpdateTime(store, row) } })),
  );
}

/**
 * Returns the confirmed part of a row: fields of unsent changes are sent with those changes. Fields without a default
 * stay, because a row cannot be created without them, and so do the fields of a unit, which is only ever sent whole.
 */
function withoutUnsent(store: Store, key: LearnerKey, row: Values): Values {
  const waiting = store.db
    .select({ fields: outbox.fields })
    .from(outbox)
    .where(and(eq(outbox.tableName, entities[key].name), eq(outbox.rowId, rowIdOf(key, row)), eq(outbox.op, 'upsert')))
    .all();
  const declared: Readonly<Record<string, Field>> = entities[key].fields;
  const confirmed: Values = { ...row };
  const unit = new Set(unitFieldsOf(key));
  for (const { fields } of waiting)
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'words') confirmed[name] = withoutWords(confirmed[name], value);
      else if (declared[name]?.initial !== undefined && !unit.has(name)) delete confirmed[name];
    }
  return confirmed;
}

function withoutWords(list: unknown, unsent: unknown): unknown {
  const words = new Set(wordsOf(unsent));
  return Array.isArray(list) ? list.filter((entry) => !wordsOf([entry]).some((word) => words.has(word))) : list;
}

const wordsOf = (list: unknown): unknown[] =>
  (Array.isArray(list) ? list : []).map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'word' in entry ? entry.word : null,
  );

/** Rows that refer to others are removed first. */
function removeDeleted(store: Store): void {
  for (const key of LEARNER_KEYS.toReversed()) {
    const seen = readSeenRows(store, key);
    const unsent = rowsWithUnsentChanges(store, key, { isCreation: false });
    // What was rejected is sent again, and is nowhere else.
    for (const { rowId } of rejectedRows(store, key)) unsent.add(rowId);
    for (const row of readRows(store, key)) {
      const rowId = rowIdOf(key, row);
      // The server has never had a row without a version, so it has not deleted it either.
      if (row['syncVersion'] === 0) continue;
      if (!seen.has(rowId) && !unsent.has(rowId) && key !== 'users') removeUnlessReferenced(store, key, rowId);
    }
  }
}

type Values = Record<string, unknown>;

const rowIdOf = (key: LearnerKey, row: Values): string => String(row[entities[key].key]);

const readRows = (store: Store, key: LearnerKey): Values[] =>
  store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .all();

const readSeenRows = (store: Store, key: LearnerKey): Map<string, { isNewerHere: boolean }> =>
  new Map(
    store.db
      .select({ rowId: resyncSeen.rowId, isNewerHere: resyncSeen.isNewerHere })
      .from(resyncSeen)
      .where(eq(resyncSeen.tableName, entities[key].name))
      .all()
      .map(({ rowId, isNewerHere }) => [rowId, { isNewerHere }]),
  );

/** Returns rows with changes that the server has not answered: all, or only creations. */
const rowsWithUnsentChanges = (store: Store, key: LearnerKey, { isCreation }: { isCreation: boolean }): Set<string> =>
  new Set(
    store.db
      .select({ rowId: outbox.rowId })
      .from(outbox)
      .where(
        and(
          eq(outbox.tableName, entities[key].name),
          isCreation ? and(eq(outbox.creates, true), eq(outbox.op, 'upsert')) : undefined,
        ),
      )
      .all()
      .map(({ rowId }) => rowId),
  );

const rejectedRows = (store: Store, key: LearnerKey): { rowId: string }[] =>
  store.db
    .select({ rowId: rejectedChanges.rowId })
    .from(rejectedChanges)
    .where(eq(rejectedChanges.tableName, entities[key].name))
    .all();

/** Keeps the row if an unsent change refers to it. */
export function removeUnlessReferenced(store: Store, key: LearnerKey, rowId: string): void {
  try {
    store.db
      .delete(tables[key])
      .where(eq(keyColumn(key), rowId))
      .run();
    store.markChanged(entities[key].name);
  } catch (error) {
    if (!isForeignKeyFailure(error)) throw error;
  }
}
