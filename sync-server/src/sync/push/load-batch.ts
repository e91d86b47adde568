/** Loads the rows that a batch of changes touches or references, and the turns of their sessions. */
import { type Conversation, sessionInteractionId } from '@parley/domain';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import { addId, type Batch, type RowIds } from './batch.ts';
import { loadConstraints } from './constraints.ts';
import { referencedRows } from './row-ownership.ts';
import type { ParsedChange } from './parse-change.ts';
import { turnIdOf, turnsOf } from '../turns/session-turns.ts';
import { selectRows } from '../rows/stored-rows.ts';

export async function loadBatch(
  tx: Database,
  { batch, changes, userId }: { batch: Batch; changes: readonly ParsedChange[]; userId: string },
): Promise<void> {
  await batch.load(tx, touchedIds(changes));
  await loadConstraints(tx, { batch, changes, userId });
  const sessionIds = [...sessionsOf(batch, changes)];
  if (sessionIds.length > 0) {
    await batch.load(tx, new Map([['practiceHistory', new Set(sessionIds)]]));
    await countTurns(tx, { batch, sessionIds: storedSessions(batch, sessionIds), userId });
  }
  const inOneField = storedSessions(
    batch,
    changes.filter(({ conversation }) => conversation !== null).map(({ mutation }) => mutation.rowId),
  );
  if (inOneField.length > 0) await loadTurns(tx, { batch, sessionIds: inOneField, userId });
  for (const { mutation, conversation } of changes)
    if (conversation !== null)
      await loadConversationTargets(tx, { batch, sessionId: mutation.rowId, conversation, userId });
  if (changes.some(({ key }) => key === 'coachAssignmentHistory')) await loadOpenAssignments(tx, batch, userId);
}

interface OfSessions {
  batch: Batch;
  sessionIds: string[];
  userId: string;
}

const ofSessions = ({ sessionIds, userId }: OfSessions) =>
  and(eq(tables.aiConversations.userId, userId), isOneOf(tables.aiConversations.sessionId, sessionIds));

/** Returns those of these sessions that the database has; a session that it does not have has no turns there. */
export const storedSessions = (batch: Batch, sessionIds: readonly string[]): string[] =>
  sessionIds.filter((id) => batch.loaded('practiceHistory', id) !== undefined);

async function countTurns(tx: Database, asked: OfSessions): Promise<void> {
  if (asked.sessionIds.length === 0) return;
  const { sessionId, deletedAt } = tables.aiConversations;
  const counts = await tx
    .select({ sessionId, count: count() })
    .from(tables.aiConversations)
    .where(and(ofSessions(asked), isNull(deletedAt)))
    .groupBy(sessionId);
  for (const { sessionId: id, count: turns } of counts) if (id !== null) asked.batch.turnCounts.set(id, turns);
}

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
export async function loadTurns(tx: Database, asked: OfSessions): Promise<void> {
  asked.batch.add('aiConversations', await selectRows(tx, 'aiConversations', ofSessions(asked)));
  await asked.batch.load(tx, new Map([['practiceHistory', new Set(asked.sessionIds)]]));
}

/** Loads the rows needed to split a conversation: its turns, and the interaction for turns that do not exist yet. */
export async function loadConversationTargets(
  tx: Database,
  asked: { batch: Batch; sessionId: string; conversation: Conversation; userId: string },
): Promise<void> {
  const { batch, sessionId, conversation, userId } = asked;
  const turnIds = conversation.map(turnIdOf);
  await batch.load(tx, new Map([['aiConversations', new Set<string>(turnIds)]]));
  const known = turnIds.map((id) => batch.row('aiConversations', id));
  if (!known.includes(undefined)) return;
  if (turnsOf(batch, sessionId).length > 0 || known.some((turn) => turn?.['userId'] === userId)) return;
  await batch.load(tx, new Map([['userCourseInteraction', new Set([sessionInteractionId(sessionId)])]]));
  const { userId: owner, details, deletedAt } = tables.userCourseInteraction;
  const isAbout = sql`${details} ->> 'sessionId' = ${sessionId}`;
  batch.add(
    'userCourseInteraction',
    await selectRows(tx, 'userCourseInteraction', and(eq(owner, userId), isAbout, isNull(deletedAt))),
  );
}

async function loadOpenAssignments(tx: Database, batch: Batch, userId: string): Promise<void> {
  const { userId: owner, assignmentEndDate, deletedAt } = tables.coachAssignmentHistory;
  const isOpen = and(eq(owner, userId), isNull(assignmentEndDate), isNull(deletedAt));
  batch.add('coachAssignmentHistory', await selectRows(tx, 'coachAssignmentHistory', isOpen));
}
