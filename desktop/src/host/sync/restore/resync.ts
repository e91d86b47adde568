/**
 * Pulls everything again without losing data. Local rows stay in use while the server's rows arrive; missing rows are
 * removed or restored only at the end.
 */
import { ORPCError } from '@orpc/client';
import type { ResyncReason } from '@parley/contract';
import { entities, type Field, unitFieldsOf } from '@parley/domain';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  isForeignKeyFailure,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  openRestoreQueue,
  ownerColumn,
  placesOf,
  prepareOnce,
  readSyncState,
  rejectedChanges,
  resyncSeen,
  rowAt,
  type RowPlace,
  type Store,
  syncState,
  tables,
  rebuildWords,
  users,
} from '../../store/index.ts';
import { type AppliedRow, clocksOrUpdateTime } from '../pull/apply-rows.ts';

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
  // A server that was restored may have lost this device's key too.
  store.db.update(syncState).set({ epoch: null, catalogueCursor: 0, nextDeviceSeq: 0, wipeKeySentFor: null }).run();
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
    if (reason === 'epoch') queueLostRows(store);
    if (reason === 'purged') removeDeleted(store);
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: null }).run();
    rebuildWords(store);
  });
}

/** Queues the rows that the server lacks or holds in an older state, parents first. */
function queueLostRows(store: Store): void {
  const lost = LEARNER_KEYS.map((key) => ({
    key,
    places: placesOf(store, key, isLost(store, key), { isInOrder: true }),
  }));
  queueRestoresOf(store, lost, (row) => row);
}

/** The condition for a learner's rows that the server lacks or holds in an older state. */
function isLost(store: Store, key: LearnerKey): SQL {
  const { fieldClocks } = tables[key];
  const tableName = entities[key].name;
  const isNewerHere = sql`(select ${resyncSeen.isNewerHere} from ${resyncSeen}
    where ${resyncSeen.tableName} = ${tableName} and ${resyncSeen.rowId} = ${keyColumn(key)})`;
  const isUnsentCreation = sql`exists (select 1 from ${outbox} where ${outbox.tableName} = ${tableName}
    and ${outbox.rowId} = ${keyColumn(key)} and ${outbox.creates} and ${outbox.op} = 'upsert'
    and ${outbox.parkedFor} is null)`;
  // A row that the server once had has field times. It is sent back even if its next change recreates it, because other
  // lost rows may refer to it.
  const wasNeverSent = sql`(${fieldClocks} = '{}' and ${isUnsentCreation})`;
  return sql`${ownerColumn(key)} = ${store.identity().userId} and coalesce(${isNewerHere}, not ${wasNeverSent})`;
}

/** Queues rows one by one; `withClocks` can supply their times. */
function queueRestoresOf(
  store: Store,
  lost: readonly { key: LearnerKey; places: readonly RowPlace[] }[],
  withClocks: (row: Values) => Values,
): void {
  const queue = openRestoreQueue(store, { atMost: lost.reduce((sum, { places }) => sum + places.length, 0) });
  for (const { key, places } of lost) {
    const unsent = rowsWithUnsentChanges(store, key);
    for (const place of places) {
      const row = rowAt(store, key, place);
      const confirmed = unsent.has(rowIdOf(key, row)) ? withoutUnsent(store, key, row) : row;
      queue({ key, row: withClocks(confirmed) });
    }
  }
}

/**
 * Queues all rows for a server that may have lost some, with their own times. They have no effect on a server that has
 * them. A profile that the learner never edited has no times, so it is left out: it would overwrite what another device
 * set.
 */
export function queueAllRows(store: Store): void {
  store.db.delete(resyncSeen).run();
  const hasTimes = (key: LearnerKey): SQL | undefined =>
    key === 'users' ? sql`${users.fieldClocks} <> '{}'` : undefined;
  const lost = LEARNER_KEYS.map((key) => ({
    key,
    places: placesOf(store, key, and(isLost(store, key), hasTimes(key)), { isInOrder: true }),
  }));
  queueRestoresOf(store, lost, (row) => ({ ...row, fieldClocks: clocksOrUpdateTime(store, row) }));
}

const selectEdits = prepareOnce(({ db }) =>
  db
    .select({ fields: outbox.fields })
    .from(outbox)
    .where(
      and(
        eq(outbox.tableName, sql.placeholder('tableName')),
        eq(outbox.rowId, sql.placeholder('rowId')),
        eq(outbox.op, 'upsert'),
        isNull(outbox.parkedFor),
      ),
    )
    .prepare(),
);

/**
 * Returns the confirmed part of a row, because fields of unsent changes are sent with those changes. Fields without a
 * default stay, because a row cannot be created without them, and so do the fields of a unit, which is only ever sent
 * whole.
 */
function withoutUnsent(store: Store, key: LearnerKey, row: Values): Values {
  const waiting = selectEdits(store).all({ tableName: entities[key].name, rowId: rowIdOf(key, row) });
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
    const unsent = rowsWithUnsentChanges(store, key);
    // Rejected changes are sent again, and are stored nowhere else.
    for (const { rowId } of rejectedRows(store, key)) unsent.add(rowId);
    for (const { rowId, version } of readVersions(store, key)) {
      // A row without a version was never on the server, so the server has not deleted it either.
      if (version === 0) continue;
      if (!seen.has(rowId) && !unsent.has(rowId) && key !== 'users') removeUnlessReferenced(store, key, rowId);
    }
  }
}

type Values = Record<string, unknown>;

const rowIdOf = (key: LearnerKey, row: Values): string => String(row[entities[key].key]);

const readVersions = (store: Store, key: LearnerKey): { rowId: string; version: number }[] =>
  store.db
    .select({ rowId: sql<string>`${keyColumn(key)}`, version: sql<number>`${tables[key].syncVersion}` })
    .from(tables[key] as SQLiteTable)
    .all();

const readSeenRows = (store: Store, key: LearnerKey): Set<string> =>
  new Set(
    store.db
      .select({ rowId: resyncSeen.rowId })
      .from(resyncSeen)
      .where(eq(resyncSeen.tableName, entities[key].name))
      .all()
      .map(({ rowId }) => rowId),
  );

/** Returns rows with changes that the server has not answered. */
const rowsWithUnsentChanges = (store: Store, key: LearnerKey): Set<string> =>
  new Set(
    store.db
      .select({ rowId: outbox.rowId })
      .from(outbox)
      .where(and(eq(outbox.tableName, entities[key].name), isNull(outbox.parkedFor)))
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
