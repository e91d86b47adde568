/** Queues refused changes that are due. Each keeps its own time, so that none undoes a later change. */
import {
  clocksAfterEdit,
  correctHybridTime,
  entities,
  type FieldClocks,
  initialClocks,
  latestTime,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
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
import { isKnown, type KnownRejection, listDue, nameOfRow, stateOfRow } from './due-rejections.ts';
import {
  isRejectedCreation,
  listRejectedFor,
  noteSentAgain,
  rejectionsOfRow,
  type StoredRejection,
} from './rejected-changes.ts';

/** Queues what is due. `offsetMs` is added to this device's clock to get the server's time. */
export const retryDue = (store: Store, offsetMs: number): void => requeue(store, listDue(store), offsetMs);

export const hasNoRoom = (store: Store): boolean => listRejectedFor(store, ['storage_full']).length > 0;

/** Call this when the account may have room again: after a deletion, a plan change or a long time. */
export const retryWhenRoom = (store: Store, offsetMs: number): void =>
  requeue(store, listRejectedFor(store, ['storage_full']), offsetMs);

/** `failed` is ordered by time. */
function requeue(store: Store, failed: readonly StoredRejection[], offsetMs: number): void {
  const byRow = Map.groupBy(failed.filter(isKnown), nameOfRow);
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

/**
 * The server rejects every edit of a row that it does not have, so the row's current state is sent in place of all its
 * rejected changes. Returns that row, if there is one to send.
 */
function requeueCreation(store: Store, [first]: readonly KnownRejection[], offsetMs: number): RestoredRow[] {
  const key = LEARNER_KEYS.find((each) => entities[each].name === first?.tableName);
  if (first === undefined || key === undefined) return [];
  const rejections = rejectionsOfRow(store, first).filter(isKnown);
  const row = readRow(store, key, first.rowId);
  const state = stateOfRow(store, first);
  if (state === 'in_deleted_session') return [];
  for (const rejection of rejections)
    if (state === 'elsewhere' || (state === 'deleted' && rejection.change.op === 'delete'))
      requeueChange(store, rejection, offsetMs);
    else forget(store, rejection);
  if (row === undefined || state !== 'live') return [];
  const fieldClocks = rejections.reduce((clocks, each) => timesAfter(key, clocks, each, offsetMs), clocksOf(row));
  return [{ key, row: { ...row, fieldClocks } }];
}

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
