/**
 * Fetching everything again without losing anything: the copy on this device stays in use while the server's rows come in over it,
 * and only when all have come is what the server did not name removed, or sent to it again.
 */
import type { ResyncReason } from '@parley/contract';
import { entities } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  isForeignKeyFailure,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  requeueRow,
  resyncSeen,
  type Store,
  syncState,
  tables,
} from '../store/index.ts';
import type { AppliedRow } from './apply-rows.ts';

/** `purged`: what the server does not name was deleted. `lost`: it was put back in time, and we give it what it has lost. */
export function beginResync(store: Store, reason: ResyncReason): void {
  store.transaction(() => {
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: reason, userCursor: 0, olderCursor: null }).run();
  });
}

const reasonOf = (store: Store): ResyncReason | null =>
  store.db.select({ resync: syncState.resync }).from(syncState).get()?.resync ?? null;

export function noteSeen(store: Store, rows: readonly AppliedRow[]): void {
  if (reasonOf(store) === null) return;
  for (const { key, rowId, version } of rows) {
    const seen = { tableName: entities[key].name, rowId, version };
    store.db
      .insert(resyncSeen)
      .values(seen)
      .onConflictDoUpdate({ target: [resyncSeen.tableName, resyncSeen.rowId], set: { version } })
      .run();
  }
}

/** The stream has ended: nothing that was not seen is on the server. */
export function finishResync(store: Store): void {
  const reason = reasonOf(store);
  if (reason === null) return;
  store.transaction(() => {
    const waiting = new Set(
      store.db
        .select({ tableName: outbox.tableName, rowId: outbox.rowId })
        .from(outbox)
        .all()
        .map(({ tableName, rowId }) => `${tableName} ${rowId}`),
    );
    // What refers to others goes first, and comes last.
    const again = LEARNER_KEYS.toReversed().map((key) => ({ key, rows: settleTable(store, key, { reason, waiting }) }));
    for (const { key, rows } of again.toReversed()) for (const row of rows) requeueRow(store, key, row);
    store.db.delete(resyncSeen).run();
    store.db.update(syncState).set({ resync: null }).run();
  });
}

type Values = Record<string, unknown>;

/** Removes what was deleted on the server; answers what the server is to be given again. */
function settleTable(
  store: Store,
  key: LearnerKey,
  by: { reason: ResyncReason; waiting: ReadonlySet<string> },
): Values[] {
  const { name, key: keyName } = entities[key];
  const table: SQLiteTable = tables[key];
  const seen = new Map(
    store.db
      .select({ rowId: resyncSeen.rowId, version: resyncSeen.version })
      .from(resyncSeen)
      .where(eq(resyncSeen.tableName, name))
      .all()
      .map(({ rowId, version }) => [rowId, version]),
  );
  const rows: Values[] = store.db.select().from(table).all();
  return rows.filter((row) => {
    const rowId = String(row[keyName]);
    const version = seen.get(rowId);
    const isAsOnServer = version !== undefined && version >= Number(row['syncVersion']);
    if (isAsOnServer || by.waiting.has(`${name} ${rowId}`)) return false;
    return by.reason === 'lost' || (version === undefined && key !== 'users' && !removed(store, key, rowId));
  });
}

/** `false`: something that was not sent yet refers to it. */
function removed(store: Store, key: LearnerKey, rowId: string): boolean {
  try {
    store.db
      .delete(tables[key])
      .where(eq(keyColumn(key), rowId))
      .run();
    store.touch(entities[key].name);
    return true;
  } catch (error) {
    if (isForeignKeyFailure(error)) return false;
    throw error;
  }
}
