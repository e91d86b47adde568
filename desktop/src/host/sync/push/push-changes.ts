/** Pushes the outbox in order. Rejected changes move to a list that the learner sees. */
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_PUSH_BYTES,
  type MutationOutcome,
  type PushResponse,
  SYNC_PROTOCOL,
} from '@parley/contract';
import { parseHybridTime } from '@parley/domain';
import { and, asc, count, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm';
import { outbox, readSyncState, type Store, syncState } from '../../store/index.ts';
import type { Logger } from '../../logger.ts';
import type { RowWriter } from '../pull/apply-rows.ts';
import { knownEpoch, storeEpoch } from '../restore/epoch.ts';
import { storeServerRows } from '../pull/deferred-foreign-keys.ts';
import {
  storeRejectedFields,
  storeRejected,
  storeServerSchema,
  forgetRejectionsOfRow,
  interpretRejection,
} from '../quarantine/rejected-changes.ts';
import { retryAfterAccepted } from '../quarantine/due-rejections.ts';
import { retryWhenRoom } from '../quarantine/retry-rejected.ts';
import type { ServerConnection } from '../../server/index.ts';
import { confirmRows } from './confirm-rows.ts';
import type { OutboxRow } from './outbox-row.ts';

/** Space for the request around its mutations. */
const REQUEST_OVERHEAD_BYTES = 2_048;
/** The minimum size of a mutation without its fields and clocks. */
const MUTATION_OVERHEAD_BYTES = 512;

const isNotParked = isNull(outbox.parkedFor);
/** Only changes that were sent have a number, and by that number they are found without reading the rest. */
const isSent = and(eq(outbox.state, 'sent'), gt(outbox.deviceSeq, 0));

export const countWaitingChanges = ({ db }: Store): number =>
  db.select({ total: count() }).from(outbox).where(isNotParked).get()?.total ?? 0;

export interface PushParts {
  store: Store;
  logger: Logger;
  server: Pick<ServerConnection, 'push'>;
  writer: RowWriter;
  /** The ids of changes that may have reached the server without being answered. */
  attempted: Set<string>;
  /**
   * The ids of changes that are sent under a second number, because another copy of the data folder may have used the
   * first one.
   */
  renumbered: Set<string>;
}

/** The outcome of a push. `sent_and_behind` means that another device's changes are still to be pulled. */
export type PushOutcome = 'nothing' | 'sent' | 'sent_and_behind';

/** Sends one batch of at most `limit` changes. */
export async function pushBatch(parts: PushParts, limit: number): Promise<PushOutcome> {
  const { store, server, attempted, renumbered } = parts;
  await ensureSequence(store, server);
  const batch = takeBatch(store, Math.min(limit, MAX_MUTATIONS_PER_PUSH));
  if (batch.length === 0) return 'nothing';
  const before = new Set(attempted);
  for (const { mutationId } of batch) attempted.add(mutationId);
  const answer = await server.push(serializePush(store, batch));
  const doubted = new Set(doubtfulIds(parts, answer));
  const isUpToDate = applyOutcomes({ ...parts, attempted: before, doubted }, batch, answer);
  for (const { id } of answer.outcomes) {
    attempted.delete(id);
    if (doubted.has(id)) renumbered.add(id);
    else renumbered.delete(id);
  }
  return isUpToDate ? 'sent' : 'sent_and_behind';
}

export function serializePush(store: Store, batch: readonly OutboxRow[]): string {
  const head = JSON.stringify({
    protocol: SYNC_PROTOCOL,
    deviceId: store.identity().deviceId,
    epoch: knownEpoch(store),
    now: changeClockNow(store).toISOString(),
  });
  return `${head.slice(0, -1)},"mutations":[${batch.map(serializeMutation).join(',')}]}`;
}

/** The clock of the change times, which never goes backwards with the wall clock. */
function changeClockNow(store: Store): Date {
  const last = readSyncState(store).lastHybridTime;
  const now = store.clock.now();
  return last === null ? now : new Date(Math.max(now.getTime(), parseHybridTime(last).ms));
}

/** The offset from this device's clock to the server's time. */
export const clockOffsetMs = (store: Store, { at }: PushResponse): number =>
  Date.parse(at) - changeClockNow(store).getTime();

/** An empty push that asks for the server's version and this device's last sequence number. */
export async function probeServer(store: Store, server: PushParts['server']): Promise<PushResponse> {
  const answer = await server.push(serializePush(store, []));
  storeServerSchema(store, answer.schema);
  return answer;
}

/**
 * Runs once per process. A data folder restored from a copy reuses sequence numbers that the server already has, so its
 * changes would be ignored as replays. The changes are therefore renumbered, and word attempts get a new key. If the
 * server already had some of the changes, their times show whether it has had later ones.
 */
export async function verifySequence(store: Store, server: PushParts['server']): Promise<void> {
  const { nextDeviceSeq } = readSyncState(store);
  if (nextDeviceSeq === 0) return;
  const answer = await probeServer(store, server);
  storeEpoch(store, answer.epoch);
  if (answer.lastSeq < nextDeviceSeq) return;
  leaveTakenNumbers(store);
}

/**
 * Another copy of the data folder has used this device's numbers, so changes sent under them may not have been applied.
 */
function leaveTakenNumbers(store: Store): void {
  store.transaction(() => {
    renumberChanges(store);
    store.db.update(syncState).set({ attemptKey: store.newId() }).run();
  });
}

/**
 * Whether another running copy of this data folder numbers changes too. The server then knows numbers that were not
 * assigned here, or mistakes changes that are sent for the first time for replays.
 */
function areNumbersTaken(
  { store, attempted }: Pick<PushParts, 'store' | 'attempted'>,
  { outcomes, lastSeq }: PushResponse,
): boolean {
  const { nextDeviceSeq: next } = readSyncState(store);
  return (
    (next > 0 && lastSeq >= next) || outcomes.some(({ id, status }) => status === 'duplicate' && !attempted.has(id))
  );
}

/**
 * The changes of a repeated request whose numbers the server already knows. It cannot tell whether they arrived or
 * another copy used the numbers in between. They are sent again under other numbers, which changes nothing if they had
 * arrived; but only once, because otherwise a network that loses each first response would keep them here forever.
 */
const doubtfulIds = ({ renumbered }: Pick<PushParts, 'renumbered'>, { outcomes }: PushResponse): string[] =>
  outcomes.filter(({ id, status }) => status === 'duplicate' && !renumbered.has(id)).map(({ id }) => id);

/** Whether this may be the response to another copy's change with the same number. */
const mayBeRepeated = (outcome: MutationOutcome | undefined): boolean =>
  outcome?.status === 'duplicate' ||
  outcome?.status === 'rejected' ||
  (outcome?.status === 'merged' && outcome.refused !== undefined);

/** After a restore or an account change, only the server knows the last sequence number. */
async function ensureSequence(store: Store, server: PushParts['server']): Promise<void> {
  if (readSyncState(store).nextDeviceSeq > 0) return;
  const { epoch, lastSeq } = await probeServer(store, server);
  storeEpoch(store, epoch);
  store.db
    .update(syncState)
    .set({ nextDeviceSeq: lastSeq + 1 })
    .run();
}

/** Renumbers all changes from the server's last sequence number. */
export function renumberChanges(store: Store): void {
  store.transaction(() => {
    store.db.update(outbox).set({ state: 'waiting', deviceSeq: null }).run();
    store.db.update(syncState).set({ nextDeviceSeq: 0 }).run();
  });
}

/** Resends unanswered changes under their numbers; otherwise numbers the oldest waiting changes. */
function takeBatch(store: Store, limit: number): OutboxRow[] {
  const { db } = store;
  const unanswered = unansweredBatch(store, limit);
  if (unanswered.length > 0) return unanswered;
  return store.transaction(() => {
    const oldest = db.select(OUTBOX_AS_TEXT).from(outbox).where(isNotParked).orderBy(asc(outbox.position));
    const waiting = thoseThatFit(oldest.limit(limit).all());
    if (waiting.length === 0) return [];
    const { nextDeviceSeq: first } = readSyncState(store);
    const batch = waiting.map((row, index): OutboxRow => ({ ...row, deviceSeq: first + index }));
    markSent(store, batch);
    db.update(syncState)
      .set({ nextDeviceSeq: first + batch.length })
      .run();
    return batch;
  });
}

/** The ids of changes that an earlier process may have sent. */
export const idsOfSent = ({ db }: Store): Set<string> =>
  new Set(
    db
      .select({ id: outbox.mutationId })
      .from(outbox)
      .where(isSent)
      .all()
      .map(({ id }) => id),
  );

/** The changes that the next request repeats, because the server has not answered them. */
export const unansweredBatch = ({ db }: Store, limit: number): OutboxRow[] =>
  thoseThatFit(db.select(OUTBOX_AS_TEXT).from(outbox).where(isSent).orderBy(asc(outbox.deviceSeq)).limit(limit).all());

/** Returns the first changes that fit into one request, and at least one. */
function thoseThatFit(changes: readonly OutboxRow[]): OutboxRow[] {
  let bytes = REQUEST_OVERHEAD_BYTES;
  const tooLargeAt = changes.findIndex(({ fields, clocks }, index) => {
    bytes += MUTATION_OVERHEAD_BYTES + Buffer.byteLength(fields) + Buffer.byteLength(clocks ?? '');
    return index > 0 && bytes > MAX_PUSH_BYTES;
  });
  return changes.slice(0, tooLargeAt === -1 ? undefined : tooLargeAt);
}

function markSent({ db }: Store, batch: readonly OutboxRow[]): void {
  const [first] = batch;
  if (first === undefined) return;
  const positions = JSON.stringify(batch.map(({ position }) => position));
  db.update(outbox)
    .set({ state: 'sent', deviceSeq: sql`${first.deviceSeq} + batch.key` })
    .from(sql`json_each(${positions}) as batch`)
    .where(sql`${outbox.position} = batch.value`)
    .run();
}

const {
  fields: _fields,
  clocks: _clocks,
  state: _state,
  parkedFor: _parkedFor,
  ...ownColumns
} = getTableColumns(outbox);
export const OUTBOX_AS_TEXT = {
  ...ownColumns,
  fields: sql<string>`${outbox.fields}`,
  clocks: sql<string | null>`${outbox.clocks}`,
};

function serializeMutation(row: OutboxRow): string {
  const { mutationId: id, deviceSeq, tableName: table, rowId, op, fields, clocks, at, base } = row;
  if (deviceSeq === null) throw new Error('a change has no sequence number');
  const rest = JSON.stringify({ id, deviceSeq, table, rowId, op, at, base });
  return `${rest.slice(0, -1)},"fields":${fields}${clocks === null ? '' : `,"clocks":${clocks}`}}`;
}

/** Returns whether this device has seen every server change up to its own push. */
function applyOutcomes(
  { store, logger, writer, attempted, doubted }: Omit<PushParts, 'server' | 'renumbered'> & { doubted: Set<string> },
  batch: readonly OutboxRow[],
  answer: PushResponse,
): boolean {
  storeEpoch(store, answer.epoch);
  const outcomeById = new Map(answer.outcomes.map((outcome) => [outcome.id, outcome]));
  const outcomeOf = ({ mutationId }: OutboxRow): MutationOutcome | undefined => outcomeById.get(mutationId);
  const known = batch.filter((row) => outcomeOf(row) !== undefined);
  if (known.length === 0) throw new Error('the server answered none of the changes that it was sent');
  return storeServerRows({ store, logger }, () => {
    const isShared = areNumbersTaken({ store, attempted }, answer);
    if (isShared) logger.warn({}, 'sequence_numbers_shared');
    const answered = known.filter((row) => (isShared ? !mayBeRepeated(outcomeOf(row)) : !doubted.has(row.mutationId)));
    storeServerSchema(store, answer.schema);
    const applied: { change: OutboxRow; at: string }[] = [];
    for (const change of answered) {
      const outcome = outcomeOf(change);
      if (outcome?.status === 'rejected') storeRejected(store, change, interpretRejection(store, change, outcome));
      if (outcome?.status === 'merged' && outcome.refused !== undefined)
        storeRejectedFields(store, change, outcome.refused);
      if (outcome?.status === 'applied') applied.push({ change, at: outcome.at ?? change.at });
      if (outcome?.status === 'applied' && change.op === 'delete') forgetRejectionsOfRow(store, change);
    }
    retryAfterAccepted(
      store,
      answered.filter((change) => outcomeOf(change)?.status !== 'rejected'),
    );
    deleteChanges(store, answered);
    confirmRows(store, applied, answer);
    writer.apply(answer.rows);
    const offsetMs = clockOffsetMs(store, answer);
    if (isShared) leaveTakenNumbers(store);
    else if (doubted.size > 0) renumberChanges(store);
    if (applied.some(({ change }) => change.op === 'delete')) retryWhenRoom(store, offsetMs);
    const state = readSyncState(store);
    // While older rows are still missing, a row may move from below one cursor to above the other.
    const isUpToDate =
      state.userCursor === answer.previousVersion && state.resync === null && state.olderCursor === null;
    if (isUpToDate) store.db.update(syncState).set({ userCursor: answer.userVersion }).run();
    return isUpToDate || state.userCursor === answer.userVersion;
  });
}

export function deleteChanges(store: Store, changes: readonly OutboxRow[]): void {
  const positions = JSON.stringify(changes.map(({ position }) => position));
  store.db
    .delete(outbox)
    .where(sql`${outbox.position} in (select value from json_each(${positions}))`)
    .run();
}
