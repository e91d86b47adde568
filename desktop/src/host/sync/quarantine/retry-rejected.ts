/**
 * Sends rejected changes again, when another version may accept them, the server may work again or the account may have room. Each keeps its own
 * time, so that none undoes what was changed since.
 */
import type { RejectionCode } from '@parley/contract';
import {
  clocksAfterEdit,
  correctHybridTime,
  entities,
  type FieldClocks,
  initialClocks,
  latestTime,
} from '@parley/domain';
import { and, eq, inArray, isNotNull, isNull, lte, ne, or } from 'drizzle-orm';
import {
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  queueRestores,
  readRow,
  rejectedChanges,
  type Store,
} from '../../store/index.ts';
import { clocksOf, type Values } from '../pull/overlay-unsent-changes.ts';
import { keepChangeTime } from '../push/keep-change-time.ts';
import {
  currentVersions,
  isRejectedCreation,
  listRejectedFor,
  noteSentAgain,
  rejectionsOfRow,
  type StoredRejection,
} from './rejected-changes.ts';

/** Another version of the app or the server may accept these; changes that refer to them are retried with them. */
const RETRYABLE_CODES: readonly RejectionCode[] = [
  'unknown_field',
  'unknown_table',
  'internal_error',
  'missing_reference',
];

export const hasRetryable = (store: Store): boolean =>
  listRejectedFor(store, RETRYABLE_CODES, isNotNull(rejectedChanges.change)).length > 0;

/** The server may have failed because it was in trouble itself, and with a change all that refer to it were rejected. */
const RETRIED_DAILY: readonly RejectionCode[] = ['internal_error', 'missing_reference'];
const DAY_MS = 24 * 3_600_000;

function listDue(store: Store): StoredRejection[] {
  const { triedBetween, code, at, change } = rejectedChanges;
  const hasNewVersion = or(
    isNull(triedBetween),
    ...RETRYABLE_CODES.map((each) => and(eq(code, each), ne(triedBetween, currentVersions(store, each)))),
  );
  const isOld = lte(at, new Date(store.clock.now().getTime() - DAY_MS));
  // What was rejected together is sent together.
  const isDayOver = listRejectedFor(store, RETRIED_DAILY, and(isNotNull(change), isOld)).length > 0;
  const isDue = isDayOver ? or(hasNewVersion, inArray(code, [...RETRIED_DAILY])) : hasNewVersion;
  return listRejectedFor(store, RETRYABLE_CODES, and(isNotNull(change), isDue));
}

/** Whether a change is worth sending again. */
export const hasDue = (store: Store): boolean => listDue(store).length > 0;

/**
 * Queues changes again that were rejected between other versions than the current ones, or a day ago. `offsetMs` is added
 * to this device's clock to get the server's time.
 */
export const retryDue = (store: Store, offsetMs: number): void => requeue(store, listDue(store), offsetMs);

export const hasNoRoom = (store: Store): boolean => listRejectedFor(store, ['storage_full']).length > 0;

/** Call this when the account may have room again: after a deletion, a plan change or a long time. */
export const retryWhenRoom = (store: Store, offsetMs: number): void =>
  requeue(store, listRejectedFor(store, ['storage_full']), offsetMs);

/** `failed` is ordered by time. */
function requeue(store: Store, failed: readonly StoredRejection[], offsetMs: number): void {
  const byRow = Map.groupBy(failed.filter(isKnown), ({ tableName, rowId }) => `${tableName} ${rowId}`);
  if (byRow.size === 0) return;
  store.transaction(() => {
    const rows: RestoredRow[] = [];
    for (const ofRow of byRow.values()) {
      if (ofRow.some(isRejectedCreation)) rows.push(...requeueCreation(store, ofRow, offsetMs));
      else for (const rejection of ofRow) requeueChange(store, rejection, offsetMs);
    }
    queueRestores(
      store,
      rows.toSorted((a, b) => LEARNER_KEYS.indexOf(a.key) - LEARNER_KEYS.indexOf(b.key)),
    );
  });
}

interface RestoredRow {
  key: LearnerKey;
  row: Values;
}

type KnownRejection = StoredRejection & { change: NonNullable<StoredRejection['change']> };

const isKnown = (rejection: StoredRejection): rejection is KnownRejection => rejection.change !== null;

/**
 * The server rejects every edit of a row that it does not have, so the row is sent as it is now, in place of all that
 * was rejected of it. Returns that row, if there is one to send.
 */
function requeueCreation(store: Store, [first]: readonly KnownRejection[], offsetMs: number): RestoredRow[] {
  const key = LEARNER_KEYS.find((each) => entities[each].name === first?.tableName);
  if (first === undefined || key === undefined) return [];
  const rejections = rejectionsOfRow(store, first).filter(isKnown);
  const row = readRow(store, key, first.rowId);
  const state =
    row === undefined ? (isDeletionWaiting(store, first) ? 'deleted' : 'elsewhere') : stateOf(store, key, row);
  if (state === 'in_deleted_session') return [];
  for (const rejection of rejections)
    // The row was parked for its owner, who signed in again.
    if (state === 'elsewhere' || (state === 'deleted' && rejection.change.op === 'delete'))
      requeueChange(store, rejection, offsetMs);
    else forget(store, rejection);
  if (row === undefined || state !== 'live') return [];
  const fieldClocks = rejections.reduce((clocks, each) => timesAfter(key, clocks, each, offsetMs), clocksOf(row));
  return [{ key, row: { ...row, fieldClocks } }];
}

function stateOf(store: Store, key: LearnerKey, row: Values): 'live' | 'deleted' | 'in_deleted_session' {
  if (row['deletedAt'] !== null) return 'deleted';
  const sessionId = key === 'aiConversations' ? row['sessionId'] : null;
  if (typeof sessionId !== 'string') return 'live';
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session?.['deletedAt'] === null) return 'live';
  // A finished session may still be brought back, and its turns with it.
  return session === undefined || session['status'] === 'in_progress' ? 'deleted' : 'in_deleted_session';
}

const isDeletionWaiting = ({ db }: Store, { tableName, rowId }: StoredRejection): boolean =>
  db
    .select({ position: outbox.position })
    .from(outbox)
    .where(and(eq(outbox.tableName, tableName), eq(outbox.rowId, rowId), eq(outbox.op, 'delete')))
    .limit(1)
    .get() !== undefined;

function requeueChange(store: Store, rejection: KnownRejection, offsetMs: number): void {
  const { tableName, rowId, fields, change } = rejection;
  store.db
    .insert(outbox)
    .values({
      mutationId: store.newId(),
      tableName,
      rowId,
      fields,
      creates: change.creates,
      at: change.at,
      ...keepChangeTime(change, { fields, offsetMs }),
      base: 0,
      state: 'waiting',
    })
    .run();
  forget(store, rejection);
}

function forget(store: Store, rejection: StoredRejection): void {
  noteSentAgain(store, rejection);
  store.db.delete(rejectedChanges).where(eq(rejectedChanges.id, rejection.id)).run();
}

/** Returns the row's field times after the change, by the server's clock. */
function timesAfter(
  key: LearnerKey,
  clocks: FieldClocks,
  { change, fields }: KnownRejection,
  offsetMs: number,
): FieldClocks {
  if (change.op === 'delete') return clocks;
  if (change.op === 'restore')
    return Object.entries(change.clocks ?? {}).reduce<FieldClocks>(
      (times, [name, time]) => ({ ...times, [name]: latestTime([times[name], time]) ?? time }),
      clocks,
    );
  const at = correctHybridTime(change.at, offsetMs);
  if (change.creates && Object.keys(clocks).length === 0) return initialClocks(at);
  return clocksAfterEdit(key, clocks, { names: Object.keys(fields), at });
}
