/** Sends what waits in the outbox, in order; what the server refuses moves to a list that the learner sees. */
import { MAX_MUTATIONS_PER_PUSH, MAX_PUSH_BYTES, type PushResponse, SYNC_PROTOCOL } from '@parley/contract';
import { parseHybridTime } from '@parley/domain';
import { asc, count, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { outbox, type Store, syncState } from '../store/index.ts';
import type { Logger } from '../logger.ts';
import type { RowWriter } from './apply-rows.ts';
import { atOwnTime } from './at-own-time.ts';
import { knownEpoch, noteEpoch } from './epoch.ts';
import { storeServerRows } from './foreign-keys.ts';
import {
  keepRefusedFields,
  keepRejected,
  noteServerSchema,
  rejectionOf,
  retryAfterUpgrade,
  retryWhenRoom,
} from './rejected-list.ts';
import type { ServerConnection } from './server-client.ts';
import { confirmRows } from './confirm-rows.ts';

/** Room for the request around its mutations. */
const ENVELOPE_BYTES = 2_048;

/** A change on its way. What it says is not taken apart: it travels as the text that it was stored as. */
export type OutboxRow = Omit<typeof outbox.$inferSelect, 'fields' | 'clocks' | 'state' | 'putAwayFor'> & {
  fields: string;
  clocks: string | null;
};

const isOfThisAccount = isNull(outbox.putAwayFor);

export const waitingCount = ({ db }: Store): number =>
  db.select({ total: count() }).from(outbox).where(isOfThisAccount).get()?.total ?? 0;

export interface PushParts {
  store: Store;
  logger: Logger;
  server: Pick<ServerConnection, 'push'>;
  writer: RowWriter;
}

/** What came of a batch: nothing to send, sent, or sent while another device had written something that is still to be pulled. */
export type Pushed = 'nothing' | 'sent' | 'sent_and_behind';

/** Sends one batch of at most so many changes. */
export async function pushBatch({ store, logger, server, writer }: PushParts, limit: number): Promise<Pushed> {
  await learnSequence(store, server);
  const batch = takeBatch(store, Math.min(limit, MAX_MUTATIONS_PER_PUSH));
  if (batch.length === 0) return 'nothing';
  const answer = await server.push(requestOf(store, batch));
  return settle({ store, logger, writer }, batch, answer) ? 'sent' : 'sent_and_behind';
}

export function requestOf(store: Store, batch: readonly OutboxRow[]): string {
  const head = JSON.stringify({
    protocol: SYNC_PROTOCOL,
    deviceId: store.identity().deviceId,
    epoch: knownEpoch(store),
    now: clockNow(store).toISOString(),
  });
  return `${head.slice(0, -1)},"mutations":[${batch.map(mutationText).join(',')}]}`;
}

/** The clock that the times of changes come from: it does not go back with the wall clock. */
function clockNow(store: Store): Date {
  const last = store.db.select({ at: syncState.lastHybridTime }).from(syncState).get()?.at ?? null;
  const now = store.clock.now();
  return last === null ? now : new Date(Math.max(now.getTime(), parseHybridTime(last).ms));
}

/** What is to be added to this device's clock so that it says what the server's does. */
const clockOffsetMs = (store: Store, { at }: PushResponse): number => Date.parse(at) - clockNow(store).getTime();

/** An empty push: asks how far the server has come with this device, and which version it is. */
export async function probeServer(store: Store, server: PushParts['server']): Promise<PushResponse> {
  const answer = await server.push(requestOf(store, []));
  noteServerSchema(store, answer.schema);
  retryAfterUpgrade(store, clockOffsetMs(store, answer));
  return answer;
}

/**
 * Once in the life of a program: a copy of this device's folder that was put back has given numbers which the server holds already. Changes under
 * them would be taken for replays, so they are counted anew, and so are attempts at words. Some of them may have gone out after the copy was
 * made: sent once more, they must not win over what this device has changed since.
 */
export async function verifySequence(store: Store, server: PushParts['server']): Promise<void> {
  const { nextDeviceSeq } = store.db.select().from(syncState).get() ?? { nextDeviceSeq: 0 };
  if (nextDeviceSeq === 0) return;
  const answer = await probeServer(store, server);
  noteEpoch(store, answer.epoch);
  if (answer.lastSeq < nextDeviceSeq) return;
  store.transaction(() => {
    recount(store);
    for (const change of store.db.select().from(outbox).where(isOfThisAccount).all())
      store.db
        .update(outbox)
        .set(atOwnTime(timedOf(change), { fields: change.fields, offsetMs: clockOffsetMs(store, answer) }))
        .where(eq(outbox.position, change.position))
        .run();
    store.db.update(syncState).set({ attemptKey: store.newId() }).run();
  });
}

const timedOf = ({ op, at, creates, clocks }: typeof outbox.$inferSelect) => ({
  op,
  at,
  creates,
  ...(clocks === null ? {} : { clocks }),
});

/** After a restore, or on a new account, only the server knows how far this device has counted. */
async function learnSequence(store: Store, server: PushParts['server']): Promise<void> {
  const state = store.db.select({ next: syncState.nextDeviceSeq }).from(syncState).get();
  if (state === undefined || state.next > 0) return;
  const { epoch, lastSeq } = await probeServer(store, server);
  noteEpoch(store, epoch);
  store.db
    .update(syncState)
    .set({ nextDeviceSeq: lastSeq + 1 })
    .run();
}

/** Counts again from where the server is: for when it misses a number that we gave. */
export function recount(store: Store): void {
  store.transaction(() => {
    store.db.update(outbox).set({ state: 'waiting', deviceSeq: null }).run();
    store.db.update(syncState).set({ nextDeviceSeq: 0 }).run();
  });
}

/** What was sent without an answer goes again under its numbers; else the oldest that wait are numbered now. */
function takeBatch(store: Store, limit: number): OutboxRow[] {
  const { db } = store;
  return store.transaction(() => {
    const rows = db.select(AS_TEXT).from(outbox).limit(limit);
    const unanswered = rows.where(eq(outbox.state, 'sent')).orderBy(asc(outbox.deviceSeq)).all();
    if (unanswered.length > 0) return unanswered;
    const oldest = db.select(AS_TEXT).from(outbox).where(isOfThisAccount).orderBy(asc(outbox.position));
    const waiting = oldest.limit(limit).all();
    let nextSeq = db.select({ next: syncState.nextDeviceSeq }).from(syncState).get()?.next ?? 1;
    const batch: OutboxRow[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const row of waiting) {
      const numbered: OutboxRow = { ...row, deviceSeq: nextSeq };
      bytes += Buffer.byteLength(mutationText(numbered)) + 1;
      if (batch.length > 0 && bytes > MAX_PUSH_BYTES) break;
      batch.push(numbered);
      nextSeq += 1;
    }
    numberAsSent(store, batch);
    db.update(syncState).set({ nextDeviceSeq: nextSeq }).run();
    return batch;
  });
}

function numberAsSent({ db }: Store, batch: readonly OutboxRow[]): void {
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
  putAwayFor: _putAwayFor,
  ...ownColumns
} = getTableColumns(outbox);
export const AS_TEXT = {
  ...ownColumns,
  fields: sql<string>`${outbox.fields}`,
  clocks: sql<string | null>`${outbox.clocks}`,
};

function mutationText(row: OutboxRow): string {
  const { mutationId: id, deviceSeq, tableName: table, rowId, op, fields, clocks, at, base } = row;
  if (deviceSeq === null) throw new Error('a change goes out without a number');
  const rest = JSON.stringify({ id, deviceSeq, table, rowId, op, at, base });
  return `${rest.slice(0, -1)},"fields":${fields}${clocks === null ? '' : `,"clocks":${clocks}`}}`;
}

/** Whether this device then has seen everything up to what it sent. */
function settle(
  { store, logger, writer }: Omit<PushParts, 'server'>,
  batch: readonly OutboxRow[],
  answer: PushResponse,
): boolean {
  noteEpoch(store, answer.epoch);
  const outcomeById = new Map(answer.outcomes.map((outcome) => [outcome.id, outcome]));
  const answered = batch.filter((row) => outcomeById.has(row.mutationId));
  if (answered.length === 0) throw new Error('the server answered none of the changes that it was sent');
  return storeServerRows({ store, logger }, () => {
    noteServerSchema(store, answer.schema);
    const applied: { change: OutboxRow; at: string }[] = [];
    for (const change of answered) {
      const outcome = outcomeById.get(change.mutationId);
      if (outcome?.status === 'rejected') keepRejected(store, change, rejectionOf(store, outcome));
      if (outcome?.status === 'merged' && outcome.refused !== undefined)
        keepRefusedFields(store, change, outcome.refused);
      if (outcome?.status === 'applied') applied.push({ change, at: outcome.at ?? change.at });
    }
    forget(store, answered);
    confirmRows(store, applied, answer);
    writer.apply(answer.rows);
    retryAfterUpgrade(store, clockOffsetMs(store, answer));
    if (applied.some(({ change }) => change.op === 'delete')) retryWhenRoom(store);
    const state = store.db.select().from(syncState).get();
    // While older rows are still to come, a row may move from behind the one cursor to before the other.
    const isUpToDate =
      state?.userCursor === answer.previousVersion && state.resync === null && state.olderCursor === null;
    if (isUpToDate) store.db.update(syncState).set({ userCursor: answer.userVersion }).run();
    return isUpToDate || state?.userCursor === answer.userVersion;
  });
}

export function forget(store: Store, changes: readonly OutboxRow[]): void {
  const positions = JSON.stringify(changes.map(({ position }) => position));
  store.db
    .delete(outbox)
    .where(sql`${outbox.position} in (select value from json_each(${positions}))`)
    .run();
}
