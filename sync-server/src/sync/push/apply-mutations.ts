/** Applies a batch of changes at once, and bisects it when the database rejects it. */
import type { Mutation, MutationOutcome, MutationRejection } from '@parley/contract';
import type { Conversation } from '@parley/domain';
import { Batch, type VersionsBefore } from './batch.ts';
import { closeAssignments } from './close-assignments.ts';
import { requireStorable } from './constraints.ts';
import { loadBatch, refuseLargeChanges, requireLoadedTurns, storedSessions } from './load-batch.ts';
import { inOwnTransaction, type PushTransaction } from './statements/merged-statements.ts';
import { addId, type RowIds } from './row-ids.ts';
import { requireOwnReferences } from './row-ownership.ts';
import { type RowPlan, effectiveTime, type WriteContext, writeStamp } from './row-plan.ts';
import { planMutation } from './plan-mutation.ts';
import { migrateStoredTurns, staleSessions } from '../turns/project-conversations.ts';
import type { SpokenProtocol } from '../protocol-version.ts';
import { MutationRefused, parseChange, type ParsedChange } from './parse-change.ts';
import type { StoredProgress } from './statements/store-statement.ts';
import { rowBytes, StorageAllowance } from '../storage-quota/storage-quota.ts';
import { canLoadTurns, matchesSent, requireTurnCapacity, splitIntoTurns, turnIdOf } from '../turns/session-turns.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const INTEGRITY_CLASS = /^(22|23)/;

export interface AppliedBatch {
  outcomes: MutationOutcome[];
  /** Rows that the server changed beyond what the device sent. */
  changedByServer: RowIds;
  /** The number of bytes by which the learner's rows grew. */
  addedBytes: number;
  /** The number of bytes of the rows that were written. */
  writtenBytes: number;
  /** The rows as they are now, or null if they were not all applied together. */
  batch: Batch | null;
}

export interface ApplyParts {
  /** Called with a change that a bug prevents from being applied. */
  onBug: (mutation: Mutation, error: unknown) => void;
}

/** The values that are stored with the rows, if they are all applied together. */
export type ProgressWithRows = Omit<StoredProgress, 'storedBytes'>;

interface ApplyContext {
  write: WriteContext;
  versionsBefore: VersionsBefore;
  room: StorageAllowance;
  parts: ApplyParts;
}

/**
 * Without savepoints, a batch has failed or was too large, and the transaction with it; it can be repeated with
 * savepoints.
 */
export class BatchFailed extends Error {}

/**
 * A rejected change does not affect the others, which takes savepoints. Hardly any batch needs them, and each costs two
 * statements, so a caller first tries without and gets `BatchFailed` if they are needed. Without savepoints, `progress`
 * is stored along with the rows.
 */
export async function applyMutations(
  transaction: PushTransaction,
  mutations: readonly Mutation[],
  write: WriteContext,
  { hasSavepoints, progress, ...parts }: ApplyParts & { hasSavepoints: boolean; progress: ProgressWithRows | null },
): Promise<AppliedBatch> {
  const applying = { write, versionsBefore: new Map(), room: new StorageAllowance(write.storage), parts };
  if (hasSavepoints && mutations.length > 0) return applyOrSplit(transaction, mutations, applying);
  try {
    return await applyTogether(transaction, mutations, { ...applying, progress });
  } catch (error) {
    if (isRecoverable(error)) throw new BatchFailed('a change of the batch cannot be applied', { cause: error });
    throw error;
  }
}

/** Whether a single change is to blame: the database rejects it, or our own code fails on it. */
const isRecoverable = (error: unknown): boolean => refusalFromDatabase(error) !== null || findSqlState(error) === null;

/**
 * Each attempt has a savepoint. A rejected batch is split in half, so that one bad change costs a few more attempts instead of one per
 * change.
 */
async function applyOrSplit(
  transaction: PushTransaction,
  mutations: readonly Mutation[],
  applying: ApplyContext,
): Promise<AppliedBatch> {
  const room = applying.room.copy();
  try {
    const applied = await transaction.use((tx) =>
      tx.transaction((savepoint) =>
        applyTogether(inOwnTransaction(savepoint), mutations, { ...applying, room, progress: null }),
      ),
    );
    applying.room.assign(room);
    return applied;
  } catch (error) {
    if (!isRecoverable(error)) throw error;
    const refusal = refusalFromDatabase(error);
    const [mutation, ...others] = mutations;
    if (mutation === undefined) throw error;
    if (others.length === 0) {
      if (refusal !== null)
        return {
          outcomes: [toRejection(mutation.id, refusal)],
          changedByServer: new Map(),
          addedBytes: 0,
          writtenBytes: 0,
          batch: null,
        };
      // The caller's log entry then contains the table.
      applying.parts.onBug(mutation, error);
      throw error;
    }
  }
  const middle = Math.ceil(mutations.length / 2);
  const first = await applyOrSplit(transaction, mutations.slice(0, middle), applying);
  const second = await applyOrSplit(transaction, mutations.slice(middle), applying);
  for (const [key, ids] of second.changedByServer) for (const id of ids) addId(first.changedByServer, key, id);
  return {
    outcomes: [...first.outcomes, ...second.outcomes],
    changedByServer: first.changedByServer,
    addedBytes: first.addedBytes + second.addedBytes,
    writtenBytes: first.writtenBytes + second.writtenBytes,
    batch: null,
  };
}

/** Reads and writes each row once, so that the number of statements depends on the tables and not on the changes. */
async function applyTogether(
  transaction: PushTransaction,
  mutations: readonly Mutation[],
  { write, versionsBefore, room, progress }: Omit<ApplyContext, 'parts'> & { progress: ProgressWithRows | null },
): Promise<AppliedBatch> {
  const batch = new Batch(versionsBefore, write.userId);
  const parsed = mutations.map((mutation) => catchRefusal(() => parseChange(mutation, write.protocol)));
  const read = await refuseLargeChanges(transaction, parsed);
  const changes = read.filter((change): change is ParsedChange => !(change instanceof MutationRefused));
  await loadBatch(transaction, { batch, changes, userId: write.userId });
  const sessionIds = storedSessions(batch, [...batch.unmigrated]).filter((id) => canLoadTurns(batch, id));
  await migrateStoredTurns(transaction, { batch, sessionIds, stamp: write });
  const planned = read.map((change, index): MutationOutcome => {
    if (change instanceof MutationRefused) return toRejection(mutations[index]?.id ?? '', change);
    return planOutcome(batch, change, { write, room });
  });
  // Turns are applied after the planned rows, because a device of protocol 2 also sends the interactions that its turns belong to.
  const sentTurns = new Set<string>();
  const outcomes = planned.map((outcome, index): MutationOutcome => {
    const change = read[index];
    if (change === undefined || change instanceof MutationRefused || outcome.status === 'rejected') return outcome;
    for (const turn of change.conversation ?? []) sentTurns.add(turnIdOf(turn));
    // The device read the conversation before this deletion, but it is applied only now.
    if (isTurnDeletion(change) && sentTurns.has(change.mutation.rowId.toLowerCase()))
      return planOutcome(batch, change, { write, room });
    return applyConversation(batch, change, { outcome, write, room });
  });
  if (changes.some(({ key }) => key === 'coachAssignmentHistory')) closeAssignments(batch, write);
  const { added, written } = batch.countBytes();
  const stale = staleSessions(batch);
  await batch.store(transaction, {
    stale,
    stamp: writeStamp(write),
    progress: progress === null ? null : { ...progress, storedBytes: write.storage.usedBytes + added },
  });
  return {
    ...finalizeOutcomes({ outcomes, changes: read, batch, stale, protocol: write.protocol }),
    addedBytes: added,
    writtenBytes: written,
    batch,
  };
}

const isTurnDeletion = ({ key, mutation }: ParsedChange): boolean =>
  key === 'aiConversations' && mutation.op === 'delete';

function planOutcome(
  batch: Batch,
  change: ParsedChange,
  limits: Pick<ApplyContext, 'write' | 'room'>,
): MutationOutcome {
  const plan = catchRefusal(() => planChange(batch, change, limits));
  return plan instanceof MutationRefused ? toRejection(change.mutation.id, plan) : outcomeOf(change, plan);
}

function planChange(
  batch: Batch,
  change: ParsedChange,
  { write, room }: { write: WriteContext; room: StorageAllowance },
): RowPlan {
  const { key, mutation, conversation } = change;
  const current = batch.row(key, mutation.rowId);
  requireOwnReferences(change, batch, write.userId);
  requireLoadedTurns(batch, change);
  for (const turn of conversation ?? []) {
    const owner = batch.row('aiConversations', turnIdOf(turn))?.['userId'];
    if (owner !== undefined && owner !== write.userId) throw new MutationRefused('not_yours', null);
  }
  const versionBefore = batch.versionBefore(key, mutation.rowId);
  const plan = planMutation(change, current === undefined ? undefined : { row: current, versionBefore }, write);
  if (plan.row === null) return plan;
  requireStorable(batch, key, plan.row);
  if (key === 'aiConversations') requireTurnCapacity(batch, plan.row);
  // A deletion never exceeds the quota, although its timestamp takes space.
  if (mutation.op !== 'delete') room.reserve(rowBytes(key, plan.row) - rowBytes(key, current));
  batch.put(key, mutation.rowId, plan.row);
  return plan;
}

function outcomeOf({ mutation: { id, at }, refused }: ParsedChange, { isExact, time }: RowPlan): MutationOutcome {
  if (refused.length > 0) return { id, status: 'merged', refused };
  if (!isExact) return { id, status: 'merged' };
  return { id, status: 'applied', ...(time === null || time === at ? {} : { at: time }) };
}

function applyConversation(
  batch: Batch,
  { mutation, conversation }: ParsedChange,
  { outcome, write, room }: { outcome: MutationOutcome; write: WriteContext; room: StorageAllowance },
): MutationOutcome {
  if (conversation === null) return outcome;
  const sent = { sessionId: mutation.rowId, turns: conversation, time: effectiveTime(mutation, write) };
  const refusal = catchRefusal(() => {
    room.reserve(bytesOfNewTurns(batch, sent));
    splitIntoTurns(batch, sent, write);
  });
  if (refusal instanceof MutationRefused) return toRejection(mutation.id, refusal);
  return outcome.status === 'applied' && !matchesSent(batch, sent) ? { id: mutation.id, status: 'merged' } : outcome;
}

/** Counts only new turns, because protocol 2 sends the whole conversation each time. */
const bytesOfNewTurns = (batch: Batch, { turns }: { turns: Conversation }): number =>
  turns
    .filter((turn) => batch.row('aiConversations', turnIdOf(turn)) === undefined)
    .reduce((sum, turn) => sum + Buffer.byteLength(JSON.stringify(turn)), 0);

/** A row that the server also changed no longer matches what the device sent, so its outcome becomes `merged`. */
function finalizeOutcomes(applied: {
  outcomes: readonly MutationOutcome[];
  changes: readonly (ParsedChange | MutationRefused)[];
  batch: Batch;
  stale: ReadonlySet<string>;
  protocol: SpokenProtocol;
}): Pick<AppliedBatch, 'outcomes' | 'changedByServer'> {
  const { outcomes, changes, batch, stale, protocol } = applied;
  const subjects = new Set<string>();
  for (const change of changes)
    if (!(change instanceof MutationRefused)) subjects.add(`${change.key} ${change.mutation.rowId}`);
  const touched: RowIds = new Map();
  for (const [key, ids] of [...batch.byServer, ['practiceHistory', stale] as const])
    for (const id of ids) if (!subjects.has(`${key} ${id}`)) addId(touched, key, id);
  return {
    changedByServer: touched,
    outcomes: outcomes.map((outcome, index) => {
      const change = changes[index];
      if (outcome.status !== 'applied' || change === undefined || change instanceof MutationRefused) return outcome;
      const { key, mutation } = change;
      // A device of protocol 2 knows only the part of a turn that it sent.
      const isChanged =
        batch.byServer.get(key)?.has(mutation.rowId) === true && !(protocol === 2 && key === 'aiConversations');
      return isChanged ? { id: outcome.id, status: 'merged' } : outcome;
    }),
  };
}

function catchRefusal<Value>(work: () => Value): Value | MutationRefused {
  try {
    return work();
  } catch (error) {
    if (error instanceof MutationRefused) return error;
    throw error;
  }
}

const toRejection = (id: string, { code, field }: MutationRefused): MutationOutcome => ({
  id,
  status: 'rejected',
  code,
  field,
});

function refusalFromDatabase(error: unknown): MutationRefused | null {
  const code = findSqlState(error);
  if (code === null || !INTEGRITY_CLASS.test(code)) return null;
  const rejection: MutationRejection =
    code === UNIQUE_VIOLATION ? 'conflict' : code === FOREIGN_KEY_VIOLATION ? 'missing_reference' : 'invalid_value';
  return new MutationRefused(rejection, null);
}

/** Drivers wrap the database's error, so the SQLSTATE may be on the cause. */
function findSqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code;
  return 'cause' in error ? findSqlState(error.cause) : null;
}
