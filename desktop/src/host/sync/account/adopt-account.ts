/**
 * Moves this device to another account. Anonymous rows change owner and are queued once; rows of an account with an
 * e-mail are parked for it.
 */
import { type DeviceId, enrolmentId, entities, type LearnerId } from '@parley/domain';
import {
  and,
  eq,
  getTableName,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { overlayUnsentChanges } from '../pull/overlay-unsent-changes.ts';
import { forgetRejectionsOfRow, listRejectedCreations } from '../quarantine/rejected-changes.ts';
import { queueAllRows } from '../restore/resync.ts';
import { listParkedFor, queueRowsToPark, showParkedRows } from './parked-rows.ts';
import { renameRows } from './rename-rows.ts';
import { findReturningRows, type ReturningRows } from './returning-rows.ts';
import {
  aiConversations,
  anonymousLearner,
  coachAssignmentHistory,
  deviceSettings,
  knownAccount,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  DEVICE_TABLES_WITH_OWNER,
  enrollments,
  forgetMissingTurns,
  importedRows,
  keyColumn,
  missingTurns,
  ownerColumn,
  practiceHistory,
  pronunciationImprovementSummary,
  rebuildWords,
  recordingCopies,
  requeueRow,
  requeueTimedRow,
  rowsOneByOne,
  type Store,
  subscriptions,
  syncState,
  tables,
  users,
  waitingReports,
} from '../../store/index.ts';

export interface AdoptedAccount {
  userId: LearnerId;
  deviceId: DeviceId;
  /** Whether the server knows this device in this account. */
  isRegistered: boolean;
  /** Whether the server has just registered this device, so that its sequence starts at 1. */
  isNewDevice?: boolean;
  /**
   * The address with which the learner signed in, if the server no longer knows the former account. If the former
   * account had the same address, it was erased, and local rows move to the new one.
   */
  addressIfErased?: string | null;
  /**
   * Whether the server still has every row of the former account that it has confirmed. Otherwise, these rows are
   * parked too.
   */
  hasServerAll?: boolean;
}

/** Whether the server knows this device in the current account. */
export const isRegistered = ({ db }: Store): boolean =>
  db.select({ is: syncState.isRegistered }).from(syncState).get()?.is === true;

const NONE: ReturningRows = new Map();

export function adoptAccount(store: Store, account: AdoptedAccount): void {
  const previous = store.identity();
  if (previous.userId === account.userId && previous.deviceId === account.deviceId) return;
  const { db } = store;
  const wasRegistered = isRegistered(store);
  store.transaction(() => {
    store.sqlite.pragma('defer_foreign_keys = ON');
    const mustPark = previous.userId !== account.userId && !movesAlong(store, account.addressIfErased ?? null);
    const isSameAccount = previous.userId === account.userId;
    if (!isSameAccount) {
      if (!mustPark) removeUnfinishedWithoutTurns(store);
      forgetMissingTurns(store);
    }
    const returning =
      mustPark || isSameAccount ? NONE : findReturningRows(store, { to: account.userId, keepsIds: !wasRegistered });
    let returned: ReadonlySet<string> = new Set();
    if (mustPark && account.hasServerAll !== true) queueAllRows(store);
    if (mustPark && account.hasServerAll === true) queueRowsToPark(store);
    if (mustPark) parkChanges(store, previous.userId);
    else if (isSameAccount) clearSequenceNumbers(store);
    else discardChanges(store, returning);
    db.update(syncState)
      .set({
        userId: account.userId,
        deviceId: account.deviceId,
        isRegistered: account.isRegistered,
        // The former account's server may know the key even if its answer was lost.
        wipeKey: null,
        wipeKeySentFor: null,
        // In the same account, the device continues from its cursor and epoch, which tell the server whether a resync
        // is needed.
        ...(isSameAccount
          ? {}
          : { userCursor: 0, olderCursor: null, pullsTurnsLater: true, resync: null, epoch: null }),
        // If the server already knew the device, only the server knows its last sequence number.
        nextDeviceSeq: account.isRegistered && account.isNewDevice !== true ? 0 : 1,
      })
      .run();
    if (mustPark) {
      parkAccount(store, previous.userId, account.userId);
      forgetLocalModels(store);
    } else if (previous.userId !== account.userId) {
      // The former account keeps the ids that the server has seen, because two accounts may not share a row.
      if (wasRegistered || returning.size > 0) {
        returned = renameRows(store, { accountId: account.userId, returning, renamesOthers: wasRegistered });
        // If a backup from before the move is restored, it is moved again, and needs the ids. Rows that keep their ids
        // may also return to another account later.
        if (wasRegistered) db.delete(importedRows).where(ne(importedRows.fromUserId, account.userId)).run();
      }
      changeOwner(store, previous.userId, account.userId);
    }
    const parked = listParkedFor(store, account.userId);
    restoreParkedChanges(store, account.userId);
    if (!isSameAccount) {
      requeueEverything(store, account, returned);
      showParkedRows(store, parked);
      rebuildWords(store);
    }
  });
}

/**
 * Unfinished sessions of which no turn could be fetched stay with the former account. In the new one, they would be
 * finished as empty sessions on all devices.
 */
function removeUnfinishedWithoutTurns(store: Store): void {
  const incomplete = store.db
    .select({ id: missingTurns.sessionId })
    .from(missingTurns)
    .where(eq(missingTurns.userId, store.identity().userId));
  const turns = store.db.select().from(aiConversations).where(eq(aiConversations.sessionId, practiceHistory.id));
  store.db
    .delete(practiceHistory)
    .where(and(eq(practiceHistory.status, 'in_progress'), inArray(practiceHistory.id, incomplete), notExists(turns)))
    .run();
}

/**
 * Whether rows move along to another account. Rows of an account with an address stay with it, because its owner can
 * return to it, unless that account was erased and this is the next one with the address.
 */
export const movesAlong = (store: Store, addressIfErased: string | null): boolean => {
  const address = addressOf(store, store.identity().userId);
  return address === null || address === addressIfErased;
};

/** Whether the account has an e-mail, so that its owner can return to it. */
export const hasEmail = (store: Store, userId: LearnerId): boolean => addressOf(store, userId) !== null;

/** The profile is pulled, which may happen after the response to a sign-in, and which an outdated app cannot do. */
function addressOf({ db }: Store, userId: LearnerId): string | null {
  const profile = db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
  const known = db.select({ account: knownAccount.account }).from(knownAccount).where(eq(knownAccount.userId, userId));
  return profile.get()?.email ?? known.get()?.account.email ?? null;
}

/**
 * Removes an account's synced rows, which the server holds or which were queued for it. Unsent and rejected changes,
 * recordings and drills stay parked for the owner, hidden from other accounts.
 */
function parkAccount(store: Store, from: LearnerId, to: LearnerId): void {
  store.db.insert(users).values(anonymousLearner(to, store.clock.now())).onConflictDoNothing().run();
  for (const key of LEARNER_KEYS.toReversed()) {
    const table: SQLiteTable = tables[key];
    store.db
      .delete(table)
      .where(eq(ownerColumn(key), from))
      .run();
    store.markChanged(entities[key].name);
  }
  store.db.delete(subscriptions).where(eq(subscriptions.userId, from)).run();
  touchDeviceTables(store);
}

/** Each learner must agree for themselves that a local model receives what they say. */
function forgetLocalModels(store: Store): void {
  const settings = store.db.select({ settings: deviceSettings.settings }).from(deviceSettings).get()?.settings;
  if (settings === undefined) return;
  store.db
    .update(deviceSettings)
    .set({ settings: { ...settings, localCoach: null, localTranscriber: null } })
    .run();
  store.markChanged('device_settings');
}

/** A change that the server has already received may be merged again without effect. */
const parkChanges = ({ db }: Store, from: LearnerId): void =>
  void db
    .update(outbox)
    .set({ parkedFor: from, state: 'waiting', deviceSeq: null, base: 0 })
    .where(isNull(outbox.parkedFor))
    .run();

/**
 * The whole rows are sent instead. Rows with unsent changes count as changed now; the others, including returning ones,
 * keep their own times.
 */
function discardChanges({ db }: Store, returning: ReturningRows): void {
  const isUnsent = isNull(outbox.parkedFor);
  for (const key of LEARNER_KEYS) {
    const table: SQLiteTable = tables[key];
    const changed = db
      .select({ id: outbox.rowId })
      .from(outbox)
      .where(and(isUnsent, eq(outbox.tableName, entities[key].name)));
    db.update(table)
      .set({ fieldClocks: {} })
      .where(and(inArray(keyColumn(key), changed), isNoneOf(key, returning.keys())))
      .run();
  }
  db.delete(outbox).where(isUnsent).run();
}

/** The server numbers each device's changes separately. */
const clearSequenceNumbers = ({ db }: Store): void =>
  void db.update(outbox).set({ state: 'waiting', deviceSeq: null }).where(isNull(outbox.parkedFor)).run();

/** Rows that the server has return with the next pull. */
export const restoreParkedChanges = ({ db }: Store, owner: LearnerId): void =>
  void db.update(outbox).set({ parkedFor: null }).where(eq(outbox.parkedFor, owner)).run();

function changeOwner(store: Store, from: LearnerId, to: LearnerId): void {
  const { db } = store;
  const profile = db.select().from(users).where(eq(users.userId, from)).get();
  const blank = anonymousLearner(to, store.clock.now());
  // The learner's settings stay in use until the account's own profile is pulled.
  db.insert(users)
    .values({ ...profile, ...blank, email: null, subscriptionId: null })
    .onConflictDoNothing()
    .run();
  // The account has its own coach, so this device's open assignment ends.
  db.update(coachAssignmentHistory)
    .set({ assignmentEndDate: store.clock.now(), fieldClocks: {} })
    .where(and(eq(coachAssignmentHistory.userId, from), isNull(coachAssignmentHistory.assignmentEndDate)))
    .run();
  db.delete(subscriptions).where(eq(subscriptions.userId, from)).run();
  for (const key of LEARNER_KEYS) {
    if (key === 'users') continue;
    const table: SQLiteTable = tables[key];
    db.update(table)
      .set({ userId: to, syncVersion: 0 })
      .where(eq(ownerColumn(key), from))
      .run();
    store.markChanged(entities[key].name);
  }
  // An enrolment's id contains its owner.
  for (const { enrollmentId, courseId } of db.select().from(enrollments).where(eq(enrollments.userId, to)).all())
    db.update(enrollments)
      .set({ enrollmentId: enrolmentId(to, courseId) })
      .where(eq(enrollments.enrollmentId, enrollmentId))
      .run();
  moveDeviceRows(store, from, to);
  db.update(pronunciationImprovementSummary).set({ id: to }).where(eq(pronunciationImprovementSummary.id, from)).run();
  db.delete(users).where(eq(users.userId, from)).run();
  store.markChanged('users');
}

/** Moves what exists only on this device: recordings with their copies, drills, refused changes and reports. */
export function moveDeviceRows(store: Store, from: LearnerId, to: LearnerId): void {
  moveCopies(store, from, to);
  for (const table of DEVICE_TABLES_WITH_OWNER)
    store.db.update(table).set({ userId: to }).where(eq(table.userId, from)).run();
  store.db.update(waitingReports).set({ userId: to }).where(eq(waitingReports.userId, from)).run();
  touchDeviceTables(store);
}

/** The new account has only the copies that are here. The others stay with the former account. */
function moveCopies({ db, markChanged }: Store, from: LearnerId, to: LearnerId): void {
  const isOfFormer = eq(recordingCopies.userId, from);
  const known = db
    .select({ id: recordingCopies.recordingId })
    .from(recordingCopies)
    .where(eq(recordingCopies.userId, to));
  db.update(recordingCopies)
    .set({ userId: to, isOnServer: false })
    .where(and(isOfFormer, isNotNull(recordingCopies.playedAt), notInArray(recordingCopies.recordingId, known)))
    .run();
  db.delete(recordingCopies).where(isOfFormer).run();
  markChanged('recording_keeping');
}

const touchDeviceTables = (store: Store): void =>
  DEVICE_TABLES_WITH_OWNER.forEach((table) => store.markChanged(getTableName(table)));

/**
 * Queues rows, parents first. An existing account keeps its own profile; a new one gets this device's. If another
 * device, or this one before a backup was restored, has already brought the same rows, they have been changed or
 * deleted since.
 */
function requeueEverything(
  store: Store,
  { userId, isRegistered }: AdoptedAccount,
  returned: ReadonlySet<string>,
): void {
  for (const key of LEARNER_KEYS) {
    if (key === 'users' && isRegistered) continue;
    const tableName = entities[key].name;
    const refused = new Set(listRejectedCreations(store, tableName).map(({ rowId }) => rowId));
    const hasWaiting =
      store.db
        .select({ id: outbox.position })
        .from(outbox)
        .where(and(eq(outbox.tableName, tableName), isNull(outbox.parkedFor)))
        .limit(1)
        .get() !== undefined;
    for (const values of rowsOneByOne(store, key, eq(ownerColumn(key), userId))) {
      const rowId = String(values[entities[key].key]);
      // The last change sent wins, so it must include the changes that are already waiting.
      if (returned.has(rowId)) requeueTimedRow(store, key, values);
      else requeueRow(store, key, hasWaiting ? overlayUnsentChanges(store, key, { rowId, values }) : values);
      // The whole row is sent in place of the changes to it that were refused in the former account.
      if (refused.has(rowId)) forgetRejectionsOfRow(store, { tableName, rowId });
    }
    const table: SQLiteTable = tables[key];
    store.db
      .update(table)
      .set({ fieldClocks: {} })
      .where(and(eq(ownerColumn(key), userId), isNoneOf(key, returned)))
      .run();
  }
}

const isNoneOf = (key: LearnerKey, ids: Iterable<string>): SQL =>
  notInArray(keyColumn(key), sql`(select value from json_each(${JSON.stringify([...ids])}))`);
