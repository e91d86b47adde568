/** Sends what waits in the outbox, in order; what the server refuses moves to a list that the learner sees. */
import {
  MAX_MUTATIONS_PER_PUSH,
  MAX_PUSH_BYTES,
  type Mutation,
  type MutationOutcome,
  SYNC_PROTOCOL,
} from '@parley/contract';
import { asc, count, eq, inArray } from 'drizzle-orm';
import { outbox, rejectedChanges, type Store, syncState } from '../store/index.ts';
import type { ServerClient } from './server-client.ts';

/** Room for the request around its mutations. */
const ENVELOPE_BYTES = 2_048;

type OutboxRow = typeof outbox.$inferSelect;

export const waitingCount = ({ db }: Store): number => db.select({ total: count() }).from(outbox).get()?.total ?? 0;

/** Sends one batch. `false`: nothing was left to send. */
export async function pushBatch(store: Store, client: ServerClient): Promise<boolean> {
  await learnSequence(store, client);
  const batch = takeBatch(store);
  if (batch.length === 0) return false;
  const { deviceId } = store.identity();
  const { outcomes } = await client.sync.push({
    protocol: SYNC_PROTOCOL,
    deviceId,
    mutations: batch.map(toMutation),
  });
  settle(store, batch, outcomes);
  return true;
}

/** After a restore, or on a new account, only the server knows how far this device has counted. */
async function learnSequence(store: Store, client: ServerClient): Promise<void> {
  const state = store.db.select({ next: syncState.nextDeviceSeq }).from(syncState).get();
  if (state === undefined || state.next > 0) return;
  const { deviceId } = store.identity();
  const { lastSeq } = await client.sync.push({ protocol: SYNC_PROTOCOL, deviceId, mutations: [] });
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
    const unanswered = db.select().from(outbox).where(eq(outbox.state, 'sent')).orderBy(asc(outbox.deviceSeq)).all();
    if (unanswered.length > 0) return unanswered;
    const waiting = db.select().from(outbox).orderBy(asc(outbox.position)).limit(MAX_MUTATIONS_PER_PUSH).all();
    let nextSeq = db.select({ next: syncState.nextDeviceSeq }).from(syncState).get()?.next ?? 1;
    const batch: OutboxRow[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const row of waiting) {
      const numbered: OutboxRow = { ...row, deviceSeq: nextSeq, state: 'sent' };
      bytes += Buffer.byteLength(JSON.stringify(toMutation(numbered))) + 1;
      if (batch.length > 0 && bytes > MAX_PUSH_BYTES) break;
      db.update(outbox)
        .set({ deviceSeq: numbered.deviceSeq, state: numbered.state })
        .where(eq(outbox.position, row.position))
        .run();
      batch.push(numbered);
      nextSeq += 1;
    }
    db.update(syncState).set({ nextDeviceSeq: nextSeq }).run();
    return batch;
  });
}

function toMutation(row: OutboxRow): Mutation {
  if (row.deviceSeq === null) throw new Error('a change goes out without a number');
  return {
    id: row.mutationId,
    deviceSeq: row.deviceSeq,
    table: row.tableName,
    rowId: row.rowId,
    op: row.op,
    fields: row.fields,
    at: row.at,
  };
}

function settle(store: Store, batch: readonly OutboxRow[], outcomes: readonly MutationOutcome[]): void {
  const outcomeById = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  store.transaction(() => {
    const answered = batch.filter((row) => outcomeById.has(row.mutationId));
    for (const row of answered) {
      const outcome = outcomeById.get(row.mutationId);
      if (outcome?.status === 'rejected') keepRejected(store, row, outcome);
    }
    if (answered.length === 0) throw new Error('the server answered none of the changes that it was sent');
    const positions = answered.map((row) => row.position);
    if (positions.length > 0) store.db.delete(outbox).where(inArray(outbox.position, positions)).run();
  });
}

function keepRejected(store: Store, row: OutboxRow, outcome: Extract<MutationOutcome, { status: 'rejected' }>): void {
  const { mutationId: id, tableName, rowId, fields } = row;
  store.db
    .insert(rejectedChanges)
    .values({ id, tableName, rowId, fields, code: outcome.code, field: outcome.field, at: store.clock.now() })
    .onConflictDoNothing()
    .run();
  // The server's rows are the truth: those that it kept against ours are fetched again.
  if (!row.creates) store.db.update(syncState).set({ userCursor: 0 }).run();
}

/** A single change that is larger than any request may be can never go out: it is set aside with its content. */
export function rejectOversized(store: Store): boolean {
  const sent = store.db.select().from(outbox).where(eq(outbox.state, 'sent')).all();
  const [only] = sent;
  if (only === undefined || sent.length > 1) return false;
  store.transaction(() => {
    keepRejected(store, only, { id: only.mutationId, status: 'rejected', code: 'invalid_value', field: null });
    store.db.delete(outbox).where(eq(outbox.position, only.position)).run();
  });
  recount(store);
  return true;
}
