/** Moves everything this device holds to another account: its own rows change owner and are queued again, once each. */
import { type DeviceId, entities, type LearnerId } from '@parley/domain';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  anonymousLearner,
  coachAssignmentHistory,
  LEARNER_KEYS,
  outbox,
  pronunciationImprovementSummary,
  requeueRow,
  type Store,
  subscriptions,
  syncState,
  tables,
  users,
} from '../store/index.ts';

export function adoptAccount(store: Store, account: { userId: LearnerId; deviceId: DeviceId }): void {
  const former = store.identity();
  if (former.userId === account.userId && former.deviceId === account.deviceId) return;
  const { db } = store;
  store.transaction(() => {
    store.sqlite.pragma('defer_foreign_keys = ON');
    db.delete(outbox).run();
    db.update(syncState)
      .set({
        userId: account.userId,
        deviceId: account.deviceId,
        isRegistered: true,
        userCursor: 0,
        // Only the server knows how far this device has counted there.
        nextDeviceSeq: 0,
      })
      .run();
    if (former.userId !== account.userId) changeOwner(store, former.userId, account.userId);
    requeueEverything(store, account.userId);
  });
}

function changeOwner(store: Store, from: LearnerId, to: LearnerId): void {
  const { db } = store;
  const profile = db.select().from(users).where(eq(users.userId, from)).get();
  const blank = anonymousLearner(to, store.clock.now());
  // What the learner set here shows until the account's own profile is pulled.
  db.insert(users)
    .values({ ...profile, ...blank, syncVersion: 0 })
    .onConflictDoNothing()
    .run();
  // The account has its own coach: of two open assignments this device's ends.
  db.update(coachAssignmentHistory)
    .set({ assignmentEndDate: store.clock.now() })
    .where(and(eq(coachAssignmentHistory.userId, from), isNull(coachAssignmentHistory.assignmentEndDate)))
    .run();
  db.delete(subscriptions).where(eq(subscriptions.userId, from)).run();
  for (const key of LEARNER_KEYS) {
    if (key === 'users') continue;
    const table: SQLiteTable = tables[key];
    db.update(table)
      .set({ userId: to })
      .where(eq(ownerColumn(key), from))
      .run();
    store.touch(entities[key].name);
  }
  db.update(pronunciationImprovementSummary).set({ id: to }).where(eq(pronunciationImprovementSummary.id, from)).run();
  db.delete(users).where(eq(users.userId, from)).run();
  store.touch('users');
}

function ownerColumn(key: (typeof LEARNER_KEYS)[number]): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)['userId'];
  if (column === undefined) throw new Error(`${key} names no learner`);
  return column;
}

/** Parents first; the learner's own row stays as the account has it. */
function requeueEverything(store: Store, userId: LearnerId): void {
  for (const key of LEARNER_KEYS) {
    if (key === 'users') continue;
    const table: SQLiteTable = tables[key];
    const rows: Record<string, unknown>[] = store.db
      .select()
      .from(table)
      .where(eq(ownerColumn(key), userId))
      .all();
    for (const row of rows) if (row['deletedAt'] === null) requeueRow(store, key, row);
  }
}
