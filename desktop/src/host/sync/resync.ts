/**
 * Fetching everything again without losing anything: the copy on this device stays in use while the server's rows come in over it,
 * and only when all have come is what the server did not name removed, or given back to it.
 */
import type { ResyncReason } from '@parley/contract';
import { entities, type Field } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  isForeignKeyFailure,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  queueRestores,
  resyncSeen,
  type Store,
  syncState,
  tables,
} from '../store/index.ts';
import type { AppliedRow } from './apply-rows.ts';

/** `purged`: what the server does not name was deleted. `epoch`: it was put back in time, and is given back what it has lost. */
export function beginResync(store: Store, reason: ResyncReason): void {
  store.transaction(() => {
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: reason, userCursor: 0, olderCursor: null }).run();
    if (reason === 'epoch') forgetVersions(store);
  });
}

/** Versions of another epoch say nothing about those of this one. */
function forgetVersions(store: Store): void {
  for (const key of LEARNER_KEYS) {
    const table: SQLiteTable = tables[key];
    store.db.update(table).set({ syncVersion: 0 }).run();
  }
  store.db.update(outbox).set({ base: 0, state: 'waiting', deviceSeq: null }).run();
  store.db.update(syncState).set({ epoch: null, catalogueCursor: 0, nextDeviceSeq: 0 }).run();
}

/** Until everything has come nothing is pushed: unsent changes may be of rows that the server has lost. */
export const mustPullFirst = (store: Store): boolean => reasonOf(store) === 'epoch';

const reasonOf = (store: Store): ResyncReason | null =>
  store.db.select({ resync: syncState.resync }).from(syncState).get()?.resync ?? null;

export function noteSeen(store: Store, rows: readonly AppliedRow[]): void {
  if (reasonOf(store) === null) return;
  for (const { key, rowId, version, isNewerHere } of rows) {
    const seen = { tableName: entities[key].name, rowId, version, isNewerHere };
    store.db
      .insert(resyncSeen)
      .values(seen)
      .onConflictDoUpdate({ target: [resyncSeen.tableName, resyncSeen.rowId], set: { version, isNewerHere } })
      .run();
  }
}

/** The stream has ended: nothing that was not seen is on the server. */
export function finishResync(store: Store): void {
  const reason = reasonOf(store);
  if (reason === null) return;
  store.transaction(() => {
    if (reason === 'epoch') giveBack(store);
    if (reason === 'purged') removeDeleted(store);
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: null }).run();
  });
}

/** Rows that the server lacks, or of which it has less, are queued for it with their own times, parents first. */
function giveBack(store: Store): void {
  const { userId } = store.identity();
  const lost = LEARNER_KEYS.flatMap((key) => {
    const seen = seenOf(store, key);
    const unsent = waitingRows(store, key, { isCreation: true });
    return rowsOf(store, key)
      .filter((row) => {
        const rowId = rowIdOf(key, row);
        return row['userId'] === userId && (seen.get(rowId)?.isNewerHere ?? !unsent.has(rowId));
      })
      .map((row) => ({ key, row: withoutUnsent(store, key, row) }));
  });
  queueRestores(store, lost);
}

/**
 * What the server had confirmed: fields that an unsent change brings go out with that change, at its own time. Fields without a default stay,
 * since a row cannot be made without them.
 */
function withoutUnsent(store: Store, key: LearnerKey, row: Values): Values {
  const waiting = store.db
    .select({ fields: outbox.fields })
    .from(outbox)
    .where(and(eq(outbox.tableName, entities[key].name), eq(outbox.rowId, rowIdOf(key, row)), eq(outbox.op, 'upsert')))
    .all();
  const declared: Readonly<Record<string, Field>> = entities[key].fields;
  const confirmed: Values = { ...row };
  for (const { fields } of waiting)
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'words') confirmed[name] = withoutWords(confirmed[name], value);
      else if (declared[name]?.initial !== undefined) delete confirmed[name];
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

/** What refers to others goes first. */
function removeDeleted(store: Store): void {
  for (const key of LEARNER_KEYS.toReversed()) {
    const seen = seenOf(store, key);
    const unsent = waitingRows(store, key, { isCreation: false });
    for (const row of rowsOf(store, key)) {
      const rowId = rowIdOf(key, row);
      if (!seen.has(rowId) && !unsent.has(rowId) && key !== 'users') removeUnlessNeeded(store, key, rowId);
    }
  }
}

type Values = Record<string, unknown>;

const rowIdOf = (key: LearnerKey, row: Values): string => String(row[entities[key].key]);

const rowsOf = (store: Store, key: LearnerKey): Values[] =>
  store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .all();

const seenOf = (store: Store, key: LearnerKey): Map<string, { isNewerHere: boolean }> =>
  new Map(
    store.db
      .select({ rowId: resyncSeen.rowId, isNewerHere: resyncSeen.isNewerHere })
      .from(resyncSeen)
      .where(eq(resyncSeen.tableName, entities[key].name))
      .all()
      .map(({ rowId, isNewerHere }) => [rowId, { isNewerHere }]),
  );

/** Rows with changes that the server has not answered yet: of every kind, or creations alone. */
const waitingRows = (store: Store, key: LearnerKey, { isCreation }: { isCreation: boolean }): Set<string> =>
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

/** Something that was not sent yet may refer to it. */
export function removeUnlessNeeded(store: Store, key: LearnerKey, rowId: string): void {
  try {
    store.db
      .delete(tables[key])
      .where(eq(keyColumn(key), rowId))
      .run();
    store.touch(entities[key].name);
  } catch (error) {
    if (!isForeignKeyFailure(error)) throw error;
  }
}
