/** Loads the rows that a batch of changes touches or references, and the turns of their sessions. */
import { type Conversation, sessionInteractionId } from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import type { Batch } from './batch.ts';
import { constraintsOn } from './constraints.ts';
import type { PushTransaction } from './statements/merged-statements.ts';
import { addId, type RowIds } from './row-ids.ts';
import { referencedRows } from './row-ownership.ts';
import { MutationRefused, type ParsedChange } from './parse-change.ts';
import { canLoadTurns, turnIdOf, turnsOf } from '../turns/session-turns.ts';
import { selectRows } from '../rows/stored-rows.ts';
import { rowSizes } from '../rows/wire-rows.ts';

/** The bytes of stored rows that a batch may load at once. */
const MAX_LOADED_BYTES = 16 * 1_048_576;
/** If the changes refer to no more rows than this, the rows are not measured, which saves a small push a statement. */
const UNMEASURED_CHANGES = 48;

/** The rows to which the changes refer are too large to be loaded at once, so the caller must split the batch. */
export class BatchTooLarge extends Error {}

/**
 * Returns the changes without those that refer to more stored turns than may be loaded for one change, with their
 * refusals. Throws `BatchTooLarge`. A change of a few bytes can refer to a row of several hundred thousand, and a
 * conversation to two thousand such rows.
 */
export async function refuseLargeChanges(
  transaction: PushTransaction,
  read: readonly (ParsedChange | MutationRefused)[],
): Promise<(ParsedChange | MutationRefused)[]> {
  const changes = read.filter((change): change is ParsedChange => !(change instanceof MutationRefused));
  const rows = changes.length > UNMEASURED_CHANGES ? touchedIds(changes) : (new Map() as RowIds);
  for (const { conversation } of changes)
    for (const turn of conversation ?? []) addId(rows, 'aiConversations', turnIdOf(turn));
  if (rows.size === 0) return [...read];
  const sizes = await transaction.use((tx) => rowSizes(tx, rows));
  const bytesByTurn = new Map(sizes.flatMap(({ key, id, bytes }) => (key === 'aiConversations' ? [[id, bytes]] : [])));
  const isTooLarge = ({ conversation }: ParsedChange): boolean =>
    (conversation ?? []).reduce((sum, turn) => sum + (bytesByTurn.get(turnIdOf(turn)) ?? 0), 0) > MAX_LOADED_BYTES;
  if (changes.length > 1 && sizes.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_LOADED_BYTES)
    throw new BatchTooLarge();
  return read.map((change) =>
    !(change instanceof MutationRefused) && isTooLarge(change) ? refuseConversation() : change,
  );
}

const refuseConversation = (): MutationRefused => new MutationRefused('limit_exceeded', 'entireConversation');

export async function loadBatch(
  transaction: PushTransaction,
  { batch, changes, userId }: { batch: Batch; changes: readonly ParsedChange[]; userId: string },
): Promise<void> {
  const named = sessionsOf(batch, changes);
  const rows = touchedIds(changes);
  for (const id of named) addId(rows, 'practiceHistory', id);
  await batch.load(transaction, { rows, ...constraintsOn(changes), sessions: named });
  // The stored turns tell which other sessions they belong to.
  const sessions = sessionsOf(batch, changes);
  await batch.load(transaction, { rows: new Map([['practiceHistory', sessions]]), sessions });
  const inOneField = storedSessions(
    batch,
    changes.filter(({ conversation }) => conversation !== null).map(({ mutation }) => mutation.rowId),
  ).filter((id) => canLoadTurns(batch, id));
  const bytes = [...new Set(inOneField)].reduce((sum, id) => sum + (batch.turns.get(id)?.bytes ?? 0), 0);
  if (changes.length > 1 && bytes > MAX_LOADED_BYTES) throw new BatchTooLarge();
  if (inOneField.length > 0) await loadTurns(transaction, { batch, sessionIds: inOneField, userId });
  for (const { mutation, conversation } of changes)
    if (conversation !== null && canLoadTurns(batch, mutation.rowId))
      await loadConversationTargets(transaction, { batch, sessionId: mutation.rowId, conversation, userId });
  if (changes.some(({ key }) => key === 'coachAssignmentHistory'))
    await loadOpenAssignments(transaction, batch, userId);
}

interface OfSessions {
  batch: Batch;
  sessionIds: string[];
  userId: string;
}

const ofSessions = ({ sessionIds, userId }: OfSessions) =>
  and(eq(tables.aiConversations.userId, userId), isOneOf(tables.aiConversations.sessionId, sessionIds));

/** Throws `MutationRefused` for a conversation of a session whose turns were too large to be loaded. */
export function requireLoadedTurns(batch: Batch, { mutation, conversation }: ParsedChange): void {
  if (conversation !== null && !canLoadTurns(batch, mutation.rowId)) throw refuseConversation();
}

/** Returns those of the sessions that the database has; for any other, it has no turns either. */
export const storedSessions = (batch: Batch, sessionIds: readonly string[]): string[] =>
  sessionIds.filter((id) => batch.loaded('practiceHistory', id) !== undefined);

function touchedIds(changes: readonly ParsedChange[]): RowIds {
  const ids: RowIds = new Map();
  for (const change of changes) {
    addId(ids, change.key, change.mutation.rowId);
    for (const { to, id } of referencedRows(change)) addId(ids, to, id);
  }
  return ids;
}

/** Returns the sessions whose turns a batch may change. */
export function sessionsOf(batch: Batch, changes: readonly ParsedChange[]): Set<string> {
  const sessions = new Set<string>();
  for (const { key, mutation, fields, conversation } of changes) {
    if (conversation !== null) sessions.add(mutation.rowId);
    if (key !== 'aiConversations') continue;
    for (const id of [fields['sessionId'], batch.row(key, mutation.rowId)?.['sessionId']])
      if (typeof id === 'string') sessions.add(id);
  }
  return sessions;
}

/** Loads these sessions and all their turns. */
export async function loadTurns(transaction: PushTransaction, asked: OfSessions): Promise<void> {
  const turns = await transaction.use((tx) => selectRows(tx, 'aiConversations', ofSessions(asked)));
  asked.batch.add('aiConversations', turns);
  await asked.batch.load(transaction, { rows: new Map([['practiceHistory', new Set(asked.sessionIds)]]) });
}

/** Loads the rows needed to split a conversation: its turns, and the interaction for turns that do not exist yet. */
export async function loadConversationTargets(
  transaction: PushTransaction,
  asked: { batch: Batch; sessionId: string; conversation: Conversation; userId: string },
): Promise<void> {
  const { batch, sessionId, conversation, userId } = asked;
  const turnIds = conversation.map(turnIdOf);
  await batch.load(transaction, { rows: new Map([['aiConversations', new Set<string>(turnIds)]]) });
  const known = turnIds.map((id) => batch.row('aiConversations', id));
  if (!known.includes(undefined)) return;
  if (turnsOf(batch, sessionId).length > 0 || known.some((turn) => turn?.['userId'] === userId)) return;
  await batch.load(transaction, {
    rows: new Map([['userCourseInteraction', new Set([sessionInteractionId(sessionId)])]]),
  });
  const { userId: owner, details, deletedAt } = tables.userCourseInteraction;
  const isAbout = sql`${details} ->> 'sessionId' = ${sessionId}`;
  const isTheirs = and(eq(owner, userId), isAbout, isNull(deletedAt));
  batch.add('userCourseInteraction', await transaction.use((tx) => selectRows(tx, 'userCourseInteraction', isTheirs)));
}

async function loadOpenAssignments(transaction: PushTransaction, batch: Batch, userId: string): Promise<void> {
  const { userId: owner, assignmentEndDate, deletedAt } = tables.coachAssignmentHistory;
  const isOpen = and(eq(owner, userId), isNull(assignmentEndDate), isNull(deletedAt));
  const open = await transaction.use((tx) => selectRows(tx, 'coachAssignmentHistory', isOpen));
  batch.add('coachAssignmentHistory', open);
}
