/** Stores the conversations of sessions for apps of protocol 2, and migrates those that an older server stored in one field. */
import { clockOf, type Conversation, formatHybridTime, haveSameValues, Turn } from '@parley/domain';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { lockLearner, nextVersion, SERVER_DEVICE_ID } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { staleConversations, tables } from '../../db/tables.ts';
import { Batch } from '../push/batch.ts';
import { loadConversationTargets, loadTurns } from '../push/load-batch.ts';
import { inOwnTransaction, type PushTransaction } from '../push/statements/merged-statements.ts';
import type { WriteContext } from '../push/row-plan.ts';
import { MutationRefused, type Values } from '../push/parse-change.ts';
import { conversationJson, MAX_CONVERSATION_BYTES, type SessionOfLearner } from './project-turns.ts';
import { type SentConversation, splitIntoTurns } from './session-turns.ts';
import { parseClocks } from '../rows/readable-row.ts';
import { columnOf } from '../rows/wire-rows.ts';
import { HAS_UNMIGRATED_TURNS } from './unmigrated-turns.ts';

type Stamp = Pick<WriteContext, 'userId' | 'at' | 'version'>;

const Changed = z.object({ id: z.string() });
const Stored = z.object({ id: z.string(), turns: z.unknown() });

const isAmong = (ids: readonly string[]): SQL => isOneOf(sql`p.id`, ids);

/** Returns the sessions among these that must be migrated. */
export async function findSessionsToMigrate(db: Database, sessionIds: readonly string[]): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select p.id::text as id from practice_history as p
    where ${isAmong(sessionIds)} and ${HAS_UNMIGRATED_TURNS}`)) as { rows: unknown[] };
  return z
    .array(Changed)
    .parse(rows)
    .map(({ id }) => id);
}

/** Migrates the stored turns of these sessions to rows before anything is computed from the rows. */
export async function migrateStoredTurns(
  transaction: PushTransaction,
  { batch, sessionIds, stamp }: { batch: Batch; sessionIds: readonly string[]; stamp: Stamp },
): Promise<number> {
  if (sessionIds.length === 0) return 0;
  const query = sql`
    select p.id::text as id, p.entire_conversation as turns from practice_history as p
    where ${isAmong(sessionIds)} and p.user_id = ${stamp.userId} and ${HAS_UNMIGRATED_TURNS}`;
  const { rows } = (await transaction.use((tx) => tx.execute(query).then((found) => found))) as { rows: unknown[] };
  let moved = 0;
  for (const { id, turns } of z.array(Stored).parse(rows)) {
    const session = batch.row('practiceHistory', id);
    const conversation = readTurns(turns);
    if (session === undefined || conversation.length === 0) continue;
    await loadTurns(transaction, { batch, sessionIds: [id], userId: stamp.userId });
    await loadConversationTargets(transaction, { batch, sessionId: id, conversation, userId: stamp.userId });
    try {
      splitIntoTurns(batch, storedConversation(session, id, conversation), stamp);
      moved += 1;
    } catch (error) {
      // This session has too many turns or contains another learner's turn; the other sessions are still migrated.
      if (!(error instanceof MutationRefused)) throw error;
    }
  }
  return moved;
}

/** Unreadable turns stay in the stored field. */
const readTurns = (stored: unknown): Conversation =>
  (Array.isArray(stored) ? stored : []).flatMap((turn) => {
    const read = Turn.safeParse(turn);
    return read.success ? [read.data] : [];
  });

function storedConversation(session: Values, sessionId: string, turns: Conversation): SentConversation {
  const said = clockOf(parseClocks(session['fieldClocks']), 'entireConversation');
  const createdAt = session['createdAt'] as Date;
  const time = said ?? formatHybridTime({ ms: createdAt.getTime(), counter: 0, deviceId: SERVER_DEVICE_ID });
  // A server from before the limit accepted these turns, and they exist nowhere else.
  return { sessionId, turns, time, maxBytes: Infinity };
}

/** The fields of a turn that appear in its session's conversation. */
const PROJECTED = [
  'sessionId',
  'previousTurnId',
  'saidAt',
  'content',
  'role',
  'node',
  'kind',
  'mode',
  'fitted',
  'recordingId',
  'hintLevel',
  'assessment',
  'deletedAt',
];

/** Returns the sessions whose conversation this batch changes; each gets a new version, and its conversation is recomputed on read. */
export function staleSessions(batch: Batch): Set<string> {
  const sessionIds = new Set<string>();
  for (const [turnId, turn] of batch.written('aiConversations')) {
    const before = batch.loaded('aiConversations', turnId);
    const { sessionId } = turn;
    if (typeof sessionId === 'string' && (before === undefined || !haveSameValues(PROJECTED, before, turn)))
      sessionIds.add(sessionId);
  }
  return sessionIds;
}

/** Conversations computed per transaction; only one is in memory at a time. */
const SESSIONS_PER_TRANSACTION = 20;

/** The database writes JSON with spaces. Only a server from before the limit has stored a longer conversation. */
const MAX_STORED_BYTES = 2 * MAX_CONVERSATION_BYTES;

const { id: historyId, userId: historyUserId } = tables.practiceHistory;

/** A session with turns that could not be migrated is sent as it was stored, because the turns exist nowhere else. */
const isTooLarge = (tx: Database, userId: string): SQL => {
  const unmigrated = tx
    .select({ found: sql`1` })
    .from(sql`practice_history as p`)
    .where(sql`p.id = ${historyId} and ${HAS_UNMIGRATED_TURNS}`);
  return sql`${historyUserId} = ${userId} and ${columnOf('practiceHistory', 'projectedBytes')} > ${MAX_STORED_BYTES}
    and not exists ${unmigrated}`;
};

export async function hasStaleConversations(tx: Database, userId: string): Promise<boolean> {
  const [one] = await tx
    .select({ id: staleConversations.sessionId })
    .from(staleConversations)
    .where(eq(staleConversations.userId, userId))
    .unionAll(tx.select({ id: historyId }).from(tables.practiceHistory).where(isTooLarge(tx, userId)))
    .limit(1);
  return one !== undefined;
}

/** Recomputes stale conversations before they are read as one field. */
export async function refreshConversations(db: Database, userId: string, now: () => Date): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      await lockLearner(tx, userId);
      const stale = await readStaleSessions(tx, userId);
      await migrateLateTurns(tx, { sessionIds: stale, userId, at: now() });
      for (const sessionId of stale) await storeConversation(tx, { userId, sessionId });
      return stale.length;
    });
    if (count < SESSIONS_PER_TRANSACTION) return;
  }
}

/**
 * Does the same for those of the sessions that belong to the learner, in a transaction that has locked their scope and
 * migrated their turns. Returns the size of what it stored, and stops when that exceeds `maxBytes`.
 */
export async function refreshSessions(
  tx: Database,
  userId: string,
  { sessionIds, maxBytes }: { sessionIds: readonly string[]; maxBytes: number },
): Promise<number> {
  const { sessionId, userId: owner } = staleConversations;
  const isAsked = and(eq(owner, userId), isOneOf(sessionId, sessionIds));
  const stale = await tx.select({ sessionId }).from(staleConversations).where(isAsked);
  let bytes = 0;
  for (const one of stale) {
    bytes += await storeConversation(tx, { userId, ...one });
    if (bytes > maxBytes) break;
  }
  return bytes;
}

async function readStaleSessions(tx: Database, userId: string): Promise<string[]> {
  const { sessionId } = staleConversations;
  const stale = await tx
    .select({ sessionId })
    .from(staleConversations)
    .where(eq(staleConversations.userId, userId))
    .union(tx.select({ sessionId: historyId }).from(tables.practiceHistory).where(isTooLarge(tx, userId)))
    .limit(SESSIONS_PER_TRANSACTION);
  return stale.map((one) => one.sessionId);
}

/** During a deployment an older server may have stored turns in one field since the last migration. */
async function migrateLateTurns(
  tx: Database,
  { sessionIds, userId, at }: { sessionIds: readonly string[]; userId: string; at: Date },
): Promise<void> {
  const unmigratedIds = sessionIds.length === 0 ? [] : await findSessionsToMigrate(tx, sessionIds);
  if (unmigratedIds.length === 0) return;
  const transaction = inOwnTransaction(tx);
  const batch = new Batch(new Map(), userId);
  await loadTurns(transaction, { batch, sessionIds: unmigratedIds, userId });
  const version = (await nextVersion(tx, userId)) ?? 0;
  await migrateStoredTurns(transaction, { batch, sessionIds: unmigratedIds, stamp: { userId, at, version } });
  await batch.store(transaction);
}

/** Stored turns that have no row: an older server accepted them, and the migration could not read them or was refused. */
const unmigratedTurns = ({ sessionId }: SessionOfLearner): SQL => sql`(
  select coalesce(jsonb_agg(turn.value), '[]')
  from practice_history as p cross join jsonb_array_elements(
    case when jsonb_typeof(p.entire_conversation) = 'array' then p.entire_conversation else '[]' end) as turn
  where p.id = ${sessionId} and turn.value ->> 'turnId' is not null and not exists (
    select from ai_conversations as c where c.session_id = p.id and c.conversation_id::text = lower(turn.value ->> 'turnId')))`;

/** Returns the size of the conversation. */
async function storeConversation(tx: Database, session: SessionOfLearner): Promise<number> {
  const { sessionId, userId } = session;
  const json = await conversationJson(tx, session);
  await tx
    .update(tables.practiceHistory)
    .set({ entireConversation: sql`${json}::jsonb || ${unmigratedTurns(session)}` })
    .where(and(eq(historyId, sessionId), eq(historyUserId, userId)));
  await tx.delete(staleConversations).where(eq(staleConversations.sessionId, sessionId));
  return Buffer.byteLength(json);
}
