/**
 * Moves this device to another account. What belongs to nobody's address changes owner and is queued again, once each; what belongs to one
 * is put away for it.
 */
import { type DeviceId, enrolmentId, entities, type LearnerId } from '@parley/domain';
import { and, eq, getTableColumns, getTableName, isNull } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { withWaitingChanges } from './overlay.ts';
import { renameRows } from './rename-rows.ts';
import {
  anonymousLearner,
  coachAssignmentHistory,
  deviceSettings,
  LEARNER_KEYS,
  outbox,
  DEVICE_TABLES_WITH_OWNER,
  enrollments,
  pronunciationImprovementSummary,
  requeueRow,
  type Store,
  subscriptions,
  syncState,
  tables,
  users,
} from '../store/index.ts';

export interface Account {
  userId: LearnerId;
  deviceId: DeviceId;
  /** Whether the server knows this device in this account. */
  isRegistered: boolean;
  /** Whether it is the server's first sight of this device: then nobody has counted yet. */
  isNewDevice?: boolean;
  /** Whether the same person proved the same address: their former account was erased, and what stands here is theirs in the new one. */
  isSameOwner?: boolean;
}

/** Whether the server knows this device in the account that it is in. */
export const isRegistered = ({ db }: Store): boolean =>
  db.select({ is: syncState.isRegistered }).from(syncState).get()?.is === true;

export function adoptAccount(store: Store, account: Account): void {
  const former = store.identity();
  if (former.userId === account.userId && former.deviceId === account.deviceId) return;
  const { db } = store;
  const wasRegistered = isRegistered(store);
  store.transaction(() => {
    store.sqlite.pragma('defer_foreign_keys = ON');
    const leavesOwner =
      former.userId !== account.userId && account.isSameOwner !== true && hasAddress(store, former.userId);
    const isSameAccount = former.userId === account.userId;
    if (leavesOwner) putAwayChanges(store, former.userId);
    else if (isSameAccount) forgetNumbers(store);
    else db.delete(outbox).where(isNull(outbox.putAwayFor)).run();
    db.update(syncState)
      .set({
        userId: account.userId,
        deviceId: account.deviceId,
        isRegistered: account.isRegistered,
        // On the account that it left, this device goes on from where it stood. By the cursor and the epoch the server sees whether it has
        // forgotten deletions since, or was put back in time.
        ...(isSameAccount ? {} : { userCursor: 0, olderCursor: null, resync: null, epoch: null }),
        // Only the server knows how far a device that it knows has counted there.
        nextDeviceSeq: account.isRegistered && account.isNewDevice !== true ? 0 : 1,
      })
      .run();
    if (leavesOwner) {
      putAway(store, former.userId, account.userId);
      forgetLocalModels(store);
    } else if (former.userId !== account.userId) {
      // The former account keeps the ids that it has seen: no two accounts may claim the same row.
      if (wasRegistered) renameRows(store, account.userId);
      changeOwner(store, former.userId, account.userId);
    }
    takeOutChanges(store, account.userId);
    if (!isSameAccount) requeueEverything(store, account);
  });
}

/** An account of its own, to which its owner may come back. */
export const hasAddress = (store: Store, userId: LearnerId): boolean =>
  (store.db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get()?.email ?? null) !== null;

/**
 * What belongs to an address stays its own: the server holds it, and gives it back to whoever signs in with that address again. What only
 * this device has (unsent and refused changes, recordings, drills) stays here under their name, unseen by others, and is theirs again then.
 */
function putAway(store: Store, from: LearnerId, to: LearnerId): void {
  store.db.insert(users).values(anonymousLearner(to, store.clock.now())).onConflictDoNothing().run();
  for (const key of LEARNER_KEYS.toReversed()) {
    const table: SQLiteTable = tables[key];
    store.db
      .delete(table)
      .where(eq(ownerColumn(key), from))
      .run();
    store.touch(entities[key].name);
  }
  store.db.delete(subscriptions).where(eq(subscriptions.userId, from)).run();
  touchDeviceTables(store);
}

/** Each learner agrees for themselves to what they say being given to a model on this computer. */
function forgetLocalModels(store: Store): void {
  const settings = store.db.select({ settings: deviceSettings.settings }).from(deviceSettings).get()?.settings;
  if (settings === undefined) return;
  store.db
    .update(deviceSettings)
    .set({ settings: { ...settings, localCoach: null, localTranscriber: null } })
    .run();
  store.touch('device_settings');
}

/** Those that the server has already without having said so come to the same when they are merged once more. */
const putAwayChanges = ({ db }: Store, from: LearnerId): void =>
  void db
    .update(outbox)
    .set({ putAwayFor: from, state: 'waiting', deviceSeq: null, base: 0 })
    .where(isNull(outbox.putAwayFor))
    .run();

/** The server counts the changes of each device by itself. */
const forgetNumbers = ({ db }: Store): void =>
  void db.update(outbox).set({ state: 'waiting', deviceSeq: null }).where(isNull(outbox.putAwayFor)).run();

/** Their rows come with the next pull, once the server has the changes. */
const takeOutChanges = ({ db }: Store, to: LearnerId): void =>
  void db.update(outbox).set({ putAwayFor: null }).where(eq(outbox.putAwayFor, to)).run();

function changeOwner(store: Store, from: LearnerId, to: LearnerId): void {
  const { db } = store;
  const profile = db.select().from(users).where(eq(users.userId, from)).get();
  const blank = anonymousLearner(to, store.clock.now());
  // What the learner set here shows until the account's own profile is pulled.
  db.insert(users)
    .values({ ...profile, ...blank, email: null, subscriptionId: null })
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
      .set({ userId: to, syncVersion: 0, fieldClocks: {} })
      .where(eq(ownerColumn(key), from))
      .run();
    store.touch(entities[key].name);
  }
  // An enrolment's id says whose it is.
  for (const { enrollmentId, courseId } of db.select().from(enrollments).where(eq(enrollments.userId, to)).all())
    db.update(enrollments)
      .set({ enrollmentId: enrolmentId(to, courseId) })
      .where(eq(enrollments.enrollmentId, enrollmentId))
      .run();
  for (const table of DEVICE_TABLES_WITH_OWNER)
    db.update(table).set({ userId: to }).where(eq(table.userId, from)).run();
  touchDeviceTables(store);
  db.update(pronunciationImprovementSummary).set({ id: to }).where(eq(pronunciationImprovementSummary.id, from)).run();
  db.delete(users).where(eq(users.userId, from)).run();
  store.touch('users');
}

const touchDeviceTables = (store: Store): void =>
  DEVICE_TABLES_WITH_OWNER.forEach((table) => store.touch(getTableName(table)));

function ownerColumn(key: (typeof LEARNER_KEYS)[number]): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)['userId'];
  if (column === undefined) throw new Error(`${key} names no learner`);
  return column;
}

/** Parents first. An account that stood before keeps its own profile; a new one gets this device's. */
function requeueEverything(store: Store, { userId, isRegistered }: Account): void {
  for (const key of LEARNER_KEYS) {
    if (key === 'users' && isRegistered) continue;
    const table: SQLiteTable = tables[key];
    const rows: Record<string, unknown>[] = store.db
      .select()
      .from(table)
      .where(eq(ownerColumn(key), userId))
      .all();
    // What goes out last wins: it must not be older than what waits already.
    for (const values of rows)
      requeueRow(store, key, withWaitingChanges(store, key, { rowId: String(values[entities[key].key]), values }));
  }
}
