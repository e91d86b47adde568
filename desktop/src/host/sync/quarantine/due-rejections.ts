/**
 * Decides which refused changes are sent again, and when.
 *
 * A change leaves the outbox and is _refused_ when the server rejects it, or fails on it alone. It is kept in `rejected_changes` with
 * the versions (of the app, the server and the catalogue) that it failed with. The learner may _dismiss_ it, which only removes it from
 * the list on the screen. It is _due_ when the current versions differ from those, or when `triedVersions` is null. That is set once a
 * day, when the row that the change refers to has been accepted, and when another change has been accepted at a second try. A change
 * that is due is _sent again_: it returns to the outbox with its own times, and is then either accepted and deleted here, or refused
 * with the current versions, so that it is no longer due and is not sent again and again. A change is _forgotten_ only when its row is
 * deleted or moves to another account.
 *
 * Two kinds are never due: a change whose parent is refused waits for the parent, and a turn of a deleted session waits until the
 * session is restored. A change that the account has no room for (`storage_full`) is sent again when there may be room.
 */
import type { Mutation, RejectionCode } from '@parley/contract';
import { entities, type Field } from '@parley/domain';
import { and, eq, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import {
  LEARNER_KEYS,
  outbox,
  readRow,
  readSyncState,
  rejectedChanges,
  type Store,
  syncState,
} from '../../store/index.ts';
import type { Values } from '../pull/overlay-unsent-changes.ts';
import { currentVersions, isRejectedCreation, listRejectedFor, type StoredRejection } from './rejected-changes.ts';

/** Another version of the app or the server may accept these. */
const RETRYABLE_CODES: readonly RejectionCode[] = [
  'unknown_field',
  'unknown_table',
  'internal_error',
  'missing_reference',
];

/**
 * The server may have failed because it was in trouble itself, and all changes that refer to this one were rejected
 * with it.
 */
const RETRIED_DAILY: readonly RejectionCode[] = ['internal_error', 'missing_reference'];
const DAY_MS = 24 * 3_600_000;

export type KnownRejection = StoredRejection & { change: NonNullable<StoredRejection['change']> };

export const isKnown = (rejection: StoredRejection): rejection is KnownRejection => rejection.change !== null;

const listRetryable = (store: Store, where?: SQL): KnownRejection[] =>
  listRejectedFor(store, RETRYABLE_CODES, and(isNotNull(rejectedChanges.change), where)).filter(isKnown);

export const hasRetryable = (store: Store): boolean => listRetryable(store).length > 0;

export const nameOfRow = ({ tableName, rowId }: Pick<StoredRejection, 'tableName' | 'rowId'>): string =>
  `${tableName} ${rowId}`;

/**
 * Returns everything that was refused of the rows that are due, ordered by time. If the server fails on a change, the
 * change holds up all others for minutes, so of the rows on which it failed only one at a time is sent.
 */
export function listDue(store: Store): KnownRejection[] {
  const due = new Set(listRetryable(store, isDue(store)).map(nameOfRow));
  if (due.size === 0) return [];
  const sendable = listSendable(store).filter((each) => due.has(nameOfRow(each)));
  const failed = new Set(sendable.filter(isServerFailure).map(nameOfRow));
  const next = triedLongestAgo(sendable);
  return sendable.filter((each) => !failed.has(nameOfRow(each)) || nameOfRow(each) === next);
}

function isDue(store: Store): SQL | undefined {
  const { triedVersions, code } = rejectedChanges;
  return or(
    isNull(triedVersions),
    ...RETRYABLE_CODES.map((each) => and(eq(code, each), ne(triedVersions, currentVersions(store, each)))),
  );
}

/** Refused changes that are only waiting until they are due. */
function listSendable(store: Store): KnownRejection[] {
  const all = listRetryable(store);
  const refusedRows = new Set(all.filter(isRejectedCreation).map(nameOfRow));
  const waiting = new Set(
    all.filter((each) => parentsOf(each).some((parent) => refusedRows.has(parent))).map(nameOfRow),
  );
  return all.filter((each) => !waiting.has(nameOfRow(each)) && canBeSent(store, each));
}

const isServerFailure = ({ code }: StoredRejection): boolean => code === 'internal_error';

/** Returns the name of the row on which the server failed before it failed on any other; undefined if there is none. */
function triedLongestAgo(rejections: readonly StoredRejection[]): string | undefined {
  const [first] = rejections.filter(isServerFailure).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return first === undefined ? undefined : nameOfRow(first);
}

/** Whether a change is worth sending again. */
export const hasDue = (store: Store): boolean => listDue(store).length > 0;

/** The names of the rows to which the change's fields refer. */
function parentsOf({ tableName, fields }: Pick<StoredRejection, 'tableName' | 'fields'>): string[] {
  const key = LEARNER_KEYS.find((each) => entities[each].name === tableName);
  if (key === undefined) return [];
  return Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]) => {
    const rowId = fields[name];
    return references === null || typeof rowId !== 'string' ? [] : [nameOfRow({ tableName: references.entity, rowId })];
  });
}

/**
 * Call this once an hour. Makes changes due that were refused a day ago, and with them those refused since. Of the rows
 * on which the server failed, only one becomes due, because each may hold up all others for minutes.
 */
export function beginDailyRetry(store: Store): void {
  const nowMs = store.clock.now().getTime();
  const { rejectedRetriedAt } = readSyncState(store);
  // The clock may have been set back.
  const isDayOver = rejectedRetriedAt === null || Math.abs(nowMs - rejectedRetriedAt.getTime()) >= DAY_MS;
  const retried = isDayOver ? listRejectedFor(store, RETRIED_DAILY, isNotNull(rejectedChanges.change)) : [];
  if (!retried.some(({ at }) => at.getTime() <= nowMs - DAY_MS)) return;
  store.transaction(() => {
    makeDue(
      store,
      retried.filter((each) => !isServerFailure(each)),
    );
    makeNextFailureDue(store);
    store.db
      .update(syncState)
      .set({ rejectedRetriedAt: new Date(nowMs) })
      .run();
  });
}

function makeNextFailureDue(store: Store): void {
  const sendable = listSendable(store);
  const next = triedLongestAgo(sendable);
  makeDue(
    store,
    sendable.filter((each) => nameOfRow(each) === next),
  );
}

interface AcceptedChange extends Pick<StoredRejection, 'tableName' | 'rowId'> {
  op: Mutation['op'];
  creates: boolean;
}

/** Call this when the server has accepted changes. */
export function retryAfterAccepted(store: Store, accepted: readonly AcceptedChange[]): void {
  const created = new Set(accepted.filter(({ creates }) => creates).map(nameOfRow));
  // Changes that were refused because the server lacked these rows.
  if (created.size > 0)
    makeDue(
      store,
      listRejectedFor(store, ['missing_reference']).filter((each) =>
        parentsOf(each).some((parent) => created.has(parent)),
      ),
    );
  // The server may no longer fail on changes that were set aside either.
  const { code } = rejectedChanges;
  const hasFailure =
    accepted.some(({ op }) => op === 'restore') && listRetryable(store, eq(code, 'internal_error')).length > 0;
  if (hasFailure && listRetryable(store, and(eq(code, 'internal_error'), isDue(store))).length === 0)
    makeNextFailureDue(store);
}

function makeDue({ db }: Store, rejections: readonly StoredRejection[]): void {
  const ids = JSON.stringify(rejections.map(({ id }) => id));
  db.update(rejectedChanges)
    .set({ triedVersions: null })
    .where(sql`${rejectedChanges.id} in (select value from json_each(${ids}))`)
    .run();
}

/** Whether there is something to send. A creation of a table that this app does not know cannot be sent as a whole row. */
function canBeSent(store: Store, rejection: KnownRejection): boolean {
  if (!isRejectedCreation(rejection)) return true;
  const state = stateOfRow(store, rejection);
  return state !== 'unknown' && state !== 'in_deleted_session';
}

/**
 * `elsewhere`: the row was parked for its owner, who has signed in again. `in_deleted_session`: the session is
 * finished, so it may still be restored, and its turns with it.
 */
type RowState = 'live' | 'deleted' | 'in_deleted_session' | 'elsewhere' | 'unknown';

/** The local state of a row that the server does not have. */
export function stateOfRow(store: Store, refused: Pick<StoredRejection, 'tableName' | 'rowId'>): RowState {
  const key = LEARNER_KEYS.find((each) => entities[each].name === refused.tableName);
  if (key === undefined) return 'unknown';
  const row: Values | undefined = readRow(store, key, refused.rowId);
  if (row === undefined) return isDeletionWaiting(store, refused) ? 'deleted' : 'elsewhere';
  if (row['deletedAt'] !== null) return 'deleted';
  const sessionId = key === 'aiConversations' ? row['sessionId'] : null;
  if (typeof sessionId !== 'string') return 'live';
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session?.['deletedAt'] === null) return 'live';
  return session === undefined || session['status'] === 'in_progress' ? 'deleted' : 'in_deleted_session';
}

const isDeletionWaiting = (
  { db }: Store,
  { tableName, rowId }: Pick<StoredRejection, 'tableName' | 'rowId'>,
): boolean =>
  db
    .select({ position: outbox.position })
    .from(outbox)
    .where(and(eq(outbox.tableName, tableName), eq(outbox.rowId, rowId), eq(outbox.op, 'delete')))
    .limit(1)
    .get() !== undefined;
