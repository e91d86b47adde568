/** Takes a batch of changes in: all at once when the database takes it so, and by halves to find those that it refuses. */
import type { Mutation, MutationOutcome, MutationRejection } from '@parley/contract';
import type { Conversation } from '@parley/domain';
import type { Database } from '../db/client.ts';
import { addId, Batch, type RowIds, type VersionsBefore } from './batch.ts';
import { closeAssignments } from './close-assignments.ts';
import { requireStorable } from './constraints.ts';
import { loadBatch, sessionsOf } from './load-batch.ts';
import { requireReferred } from './own-rows.ts';
import { type Plan, timeOf, type Write } from './plan.ts';
import { planMutation } from './plan-mutation.ts';
import { markStale, moveStoredTurns } from './project-sessions.ts';
import type { SpokenProtocol } from './protocol-version.ts';
import { MutationRefused, readChange, type ReadChange } from './read-change.ts';
import { bytesOfRow, StorageRoom } from './storage-quota.ts';
import { isAsSent, requireRoom, takeApart, turnIdOf } from './session-turns.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const INTEGRITY_CLASS = /^(22|23)/;

export interface Applied {
  outcomes: MutationOutcome[];
  /** Rows that the server changed beyond what the device made of them. */
  touched: RowIds;
  /** By how much the learner's rows take more than before. */
  addedBytes: number;
}

export interface ApplyParts {
  /** Told of a change that a fault of ours keeps from being taken in. */
  onFault: (mutation: Mutation, error: unknown) => void;
}

interface Applying {
  write: Write;
  versionsBefore: VersionsBefore;
  room: StorageRoom;
  parts: ApplyParts;
}

/** What is refused takes nothing of the rest with it. */
export async function applyMutations(
  tx: Database,
  mutations: readonly Mutation[],
  write: Write,
  parts: ApplyParts,
): Promise<Applied> {
  if (mutations.length === 0) return { outcomes: [], touched: new Map(), addedBytes: 0 };
  const applying = { write, versionsBefore: new Map(), room: new StorageRoom(write.storage), parts };
  return applyOrSplit(tx, mutations, applying);
}

/**
 * A savepoint for each attempt. When the database refuses one, both halves are tried, so that one bad change costs a few attempts more
 * and not one for each change.
 */
async function applyOrSplit(tx: Database, mutations: readonly Mutation[], applying: Applying): Promise<Applied> {
  const room = applying.room.copy();
  try {
    const applied = await tx.transaction((savepoint) => applyTogether(savepoint, mutations, { ...applying, room }));
    applying.room.become(room);
    return applied;
  } catch (error) {
    const refusal = refusalOfDatabase(error);
    const isOurFault = sqlState(error) === null;
    if (refusal === null && !isOurFault) throw error;
    const [mutation, ...others] = mutations;
    if (mutation === undefined) throw error;
    if (others.length === 0) {
      if (refusal !== null) return { outcomes: [rejected(mutation.id, refusal)], touched: new Map(), addedBytes: 0 };
      // The log then says in which table it is.
      applying.parts.onFault(mutation, error);
      throw error;
    }
  }
  const middle = Math.ceil(mutations.length / 2);
  const first = await applyOrSplit(tx, mutations.slice(0, middle), applying);
  const second = await applyOrSplit(tx, mutations.slice(middle), applying);
  for (const [key, ids] of second.touched) for (const id of ids) addId(first.touched, key, id);
  return {
    outcomes: [...first.outcomes, ...second.outcomes],
    touched: first.touched,
    addedBytes: first.addedBytes + second.addedBytes,
  };
}

/** Reads each row once, decides in memory, writes each row once: as many statements as tables, however many changes. */
async function applyTogether(
  tx: Database,
  mutations: readonly Mutation[],
  { write, versionsBefore, room }: Omit<Applying, 'parts'>,
): Promise<Applied> {
  const batch = new Batch(versionsBefore);
  const read = mutations.map((mutation) => attempt(() => readChange(mutation, write.protocol)));
  const changes = read.filter((change): change is ReadChange => !(change instanceof MutationRefused));
  await loadBatch(tx, { batch, changes, userId: write.userId });
  await moveStoredTurns(tx, { batch, sessionIds: [...sessionsOf(batch, changes)], stamp: write });
  const planned = read.map((change, index): MutationOutcome => {
    if (change instanceof MutationRefused) return rejected(mutations[index]?.id ?? '', change);
    const plan = attempt(() => planIn(batch, change, { write, room }));
    return plan instanceof MutationRefused ? rejected(change.mutation.id, plan) : outcomeOf(change, plan);
  });
  // A device of protocol 2 sends its turns beside as rows of their own, which say what they hang on.
  const outcomes = planned.map((outcome, index): MutationOutcome => {
    const change = read[index];
    return change === undefined || change instanceof MutationRefused
      ? outcome
      : takeTurns(batch, change, { outcome, write, room });
  });
  if (changes.some(({ key }) => key === 'coachAssignmentHistory')) closeAssignments(batch, write);
  await batch.store(tx);
  const projected = await markStale(tx, batch, write);
  return settleOutcomes({ outcomes, changes: read, batch, projected, protocol: write.protocol });
}

function planIn(batch: Batch, change: ReadChange, { write, room }: { write: Write; room: StorageRoom }): Plan {
  const { key, mutation, conversation } = change;
  const current = batch.row(key, mutation.rowId);
  requireReferred(change, batch, write.userId);
  for (const turn of conversation ?? []) {
    const owner = batch.row('aiConversations', turnIdOf(turn))?.['userId'];
    if (owner !== undefined && owner !== write.userId) throw new MutationRefused('not_yours', null);
  }
  const versionBefore = batch.versionBefore(key, mutation.rowId);
  const plan = planMutation(change, current === undefined ? undefined : { row: current, versionBefore }, write);
  if (plan.row === null) return plan;
  requireStorable(batch, key, plan.row);
  if (key === 'aiConversations') requireRoom(batch, plan.row);
  // What a deletion adds, a time, is never too much.
  if (mutation.op !== 'delete') room.require(bytesOfRow(key, plan.row) - bytesOfRow(key, current));
  batch.put(key, mutation.rowId, plan.row);
  return plan;
}

function outcomeOf({ mutation: { id, at }, refused }: ReadChange, { isExact, time }: Plan): MutationOutcome {
  if (refused.length > 0) return { id, status: 'merged', refused };
  if (!isExact) return { id, status: 'merged' };
  return { id, status: 'applied', ...(time === null || time === at ? {} : { at: time }) };
}

function takeTurns(
  batch: Batch,
  { mutation, conversation }: ReadChange,
  { outcome, write, room }: { outcome: MutationOutcome; write: Write; room: StorageRoom },
): MutationOutcome {
  if (conversation === null || outcome.status === 'rejected') return outcome;
  const sent = { sessionId: mutation.rowId, turns: conversation, time: timeOf(mutation.at, write) };
  const refusal = attempt(() => {
    room.require(bytesOfNewTurns(batch, sent));
    takeApart(batch, sent, write);
  });
  if (refusal instanceof MutationRefused) return rejected(mutation.id, refusal);
  return outcome.status === 'applied' && !isAsSent(batch, sent) ? { id: mutation.id, status: 'merged' } : outcome;
}

/** Of a conversation that comes whole each time. */
const bytesOfNewTurns = (batch: Batch, { turns }: { turns: Conversation }): number =>
  turns
    .filter((turn) => batch.row('aiConversations', turnIdOf(turn)) === undefined)
    .reduce((sum, turn) => sum + Buffer.byteLength(JSON.stringify(turn)), 0);

/** What the server changed by itself is no longer what the device made of it. */
function settleOutcomes(applied: {
  outcomes: readonly MutationOutcome[];
  changes: readonly (ReadChange | MutationRefused)[];
  batch: Batch;
  projected: readonly string[];
  protocol: SpokenProtocol;
}): Applied {
  const { outcomes, changes, batch, projected, protocol } = applied;
  const subjects = new Set<string>();
  for (const change of changes)
    if (!(change instanceof MutationRefused)) subjects.add(`${change.key} ${change.mutation.rowId}`);
  const touched: RowIds = new Map();
  for (const [key, ids] of [...batch.byServer, ['practiceHistory', projected] as const])
    for (const id of ids) if (!subjects.has(`${key} ${id}`)) addId(touched, key, id);
  return {
    touched,
    addedBytes: batch.addedBytes(),
    outcomes: outcomes.map((outcome, index) => {
      const change = changes[index];
      if (outcome.status !== 'applied' || change === undefined || change instanceof MutationRefused) return outcome;
      const { key, mutation } = change;
      // Of a turn a device of protocol 2 knows no more than it sent.
      const isChanged =
        batch.byServer.get(key)?.has(mutation.rowId) === true && !(protocol === 2 && key === 'aiConversations');
      return isChanged ? { id: outcome.id, status: 'merged' } : outcome;
    }),
  };
}

function attempt<Value>(work: () => Value): Value | MutationRefused {
  try {
    return work();
  } catch (error) {
    if (error instanceof MutationRefused) return error;
    throw error;
  }
}

const rejected = (id: string, { code, field }: MutationRefused): MutationOutcome => ({
  id,
  status: 'rejected',
  code,
  field,
});

function refusalOfDatabase(error: unknown): MutationRefused | null {
  const code = sqlState(error);
  if (code === null || !INTEGRITY_CLASS.test(code)) return null;
  const rejection: MutationRejection =
    code === UNIQUE_VIOLATION ? 'conflict' : code === FOREIGN_KEY_VIOLATION ? 'missing_reference' : 'invalid_value';
  return new MutationRefused(rejection, null);
}

/** Drivers wrap the database's error; its state stands on it or on its cause. */
function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code;
  return 'cause' in error ? sqlState(error.cause) : null;
}
