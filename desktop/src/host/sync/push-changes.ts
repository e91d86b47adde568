/** Sends what waits in the outbox, in order; what the server refuses moves to a list that the learner sees. */
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_PUSH_BYTES,
  type MutationOutcome,
  type PushResponse,
  SYNC_PROTOCOL,
} from '@parley/contract';
import { entities } from '@parley/domain';
import { asc, count, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { z } from 'zod';
import { keyColumn, LEARNER_KEYS, outbox, rejectedChanges, type Store, syncState, tables } from '../store/index.ts';
import type { Logger } from '../logger.ts';
import type { RowWriter } from './apply-rows.ts';
import { storeServerRows } from './foreign-keys.ts';
import type { ServerConnection } from './server-client.ts';

/** Room for the request around its mutations. */
const ENVELOPE_BYTES = 2_048;

/** A change on its way. What it says is not taken apart: it travels as the text that it was written down as. */
type OutboxRow = Omit<typeof outbox.$inferSelect, 'fields' | 'state' | 'putAwayFor'> & { fields: string };

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

/** Sends one batch. */
export async function pushBatch({ store, logger, server, writer }: PushParts): Promise<Pushed> {
  await learnSequence(store, server);
  const batch = takeBatch(store);
  if (batch.length === 0) return 'nothing';
  const answer = await server.push(requestOf(store, batch));
  return settle({ store, logger, writer }, batch, answer) ? 'sent' : 'sent_and_behind';
}

const requestOf = (store: Store, batch: readonly OutboxRow[]): string => {
  const deviceId = JSON.stringify(store.identity().deviceId);
  return `{"protocol":${SYNC_PROTOCOL},"deviceId":${deviceId},"mutations":[${batch.map(mutationText).join(',')}]}`;
};

/** After a restore, or on a new account, only the server knows how far this device has counted. */
async function learnSequence(store: Store, server: PushParts['server']): Promise<void> {
  const state = store.db.select({ next: syncState.nextDeviceSeq }).from(syncState).get();
  if (state === undefined || state.next > 0) return;
  const { lastSeq } = await server.push(requestOf(store, []));
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
function takeBatch(store: Store): OutboxRow[] {
  const { db } = store;
  return store.transaction(() => {
    const rows = db.select(AS_TEXT).from(outbox).limit(MAX_MUTATIONS_PER_PUSH);
    const unanswered = rows.where(eq(outbox.state, 'sent')).orderBy(asc(outbox.deviceSeq)).all();
    if (unanswered.length > 0) return unanswered;
    const oldest = db.select(AS_TEXT).from(outbox).where(isOfThisAccount).orderBy(asc(outbox.position));
    const waiting = oldest.limit(MAX_MUTATIONS_PER_PUSH).all();
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

const { fields: _fields, state: _state, putAwayFor: _putAwayFor, ...ownColumns } = getTableColumns(outbox);
const AS_TEXT = { ...ownColumns, fields: sql<string>`${outbox.fields}` };

function mutationText({ mutationId: id, deviceSeq, tableName: table, rowId, op, fields, at }: OutboxRow): string {
  if (deviceSeq === null) throw new Error('a change goes out without a number');
  const rest = JSON.stringify({ id, deviceSeq, table, rowId, op, at });
  return `${rest.slice(0, -1)},"fields":${fields}}`;
}

/** Whether this device then has seen everything up to what it sent. */
function settle(
  { store, logger, writer }: Omit<PushParts, 'server'>,
  batch: readonly OutboxRow[],
  answer: PushResponse,
): boolean {
  const outcomeById = new Map(answer.outcomes.map((outcome) => [outcome.id, outcome]));
  const answered = batch.filter((row) => outcomeById.has(row.mutationId));
  if (answered.length === 0) throw new Error('the server answered none of the changes that it was sent');
  return storeServerRows({ store, logger }, () => {
    const applied: OutboxRow[] = [];
    for (const row of answered) {
      const outcome = outcomeById.get(row.mutationId);
      if (outcome?.status === 'rejected') keepRejected(store, row, outcome);
      if (outcome?.status === 'applied') applied.push(row);
    }
    const positions = JSON.stringify(answered.map((row) => row.position));
    store.db
      .delete(outbox)
      .where(sql`${outbox.position} in (select value from json_each(${positions}))`)
      .run();
    stampRows(store, applied, answer);
    writer.apply(answer.rows);
    const state = store.db.select().from(syncState).get();
    const isUpToDate = state?.userCursor === answer.previousVersion && state.resync === null;
    if (isUpToDate) store.db.update(syncState).set({ userCursor: answer.userVersion }).run();
    return isUpToDate || state?.userCursor === answer.userVersion;
  });
}

/** What was applied is on the server as it is here, but for what the server sets: that is set here too, and need not be pulled. */
function stampRows(store: Store, applied: readonly OutboxRow[], answer: PushResponse): void {
  const at = new Date(answer.at);
  const idsByTable = Map.groupBy(applied, ({ tableName, op }) => `${tableName} ${op}`);
  for (const rows of idsByTable.values()) {
    const [first] = rows;
    const key = first === undefined ? undefined : LEARNER_KEYS.find((each) => entities[each].name === first.tableName);
    if (first === undefined || key === undefined) continue;
    const ids = JSON.stringify(rows.map(({ rowId }) => rowId));
    const table: SQLiteTable = tables[key];
    store.db
      .update(table)
      .set({ syncVersion: answer.userVersion, updatedAt: at, ...(first.op === 'delete' ? { deletedAt: at } : {}) })
      .where(sql`${keyColumn(key)} in (select value from json_each(${ids}))`)
      .run();
    store.touch(first.tableName);
  }
}

function keepRejected(store: Store, row: OutboxRow, outcome: Extract<MutationOutcome, { status: 'rejected' }>): void {
  const { mutationId: id, tableName, rowId } = row;
  const { userId } = store.identity();
  const fields = z.record(z.string(), z.json()).parse(JSON.parse(row.fields));
  store.db
    .insert(rejectedChanges)
    .values({ id, userId, tableName, rowId, fields, code: outcome.code, field: outcome.field, at: store.clock.now() })
    .onConflictDoNothing()
    .run();
}

/** A single change that is larger than any request may be can never go out: it is set aside with its content. */
export function rejectOversized(store: Store): boolean {
  const sent = store.db.select(AS_TEXT).from(outbox).where(eq(outbox.state, 'sent')).all();
  const [only] = sent;
  if (only === undefined || sent.length > 1) return false;
  store.transaction(() => {
    keepRejected(store, only, { id: only.mutationId, status: 'rejected', code: 'invalid_value', field: null });
    store.db.delete(outbox).where(eq(outbox.position, only.position)).run();
  });
  recount(store);
  return true;
}
