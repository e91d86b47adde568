/** A session's conversation, computed from its turns and kept with it for devices that know no other. */
import { clockOf, Conversation, formatHybridTime, Turn } from '@parley/domain';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { SERVER_ID } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { Batch } from './batch.ts';
import { loadForTurns } from './load-batch.ts';
import type { Write } from './plan.ts';
import { MutationRefused, type Values } from './read-change.ts';
import { projectSession, type SentConversation, takeApart } from './session-turns.ts';
import { readClocks } from './stored-row.ts';

type Stamp = Pick<Write, 'userId' | 'at' | 'version'>;

const Changed = z.object({ id: z.string() });
const Stored = z.object({ id: z.string(), turns: z.unknown() });

/** A conversation of which some turns have no row: it was stored before turns were rows, or by a server that knows none. */
const HAS_UNMOVED_TURNS = sql`jsonb_typeof(p.entire_conversation) = 'array' and exists (
  select from jsonb_array_elements(p.entire_conversation) as turn
  where turn.value ->> 'turnId' is not null and not exists (
    select from ai_conversations as c where c.session_id = p.id and c.conversation_id::text = lower(turn.value ->> 'turnId')))`;

const idList = (ids: readonly string[]): SQL =>
  sql.join(
    ids.map((id) => sql`${id}::uuid`),
    sql`, `,
  );

/** Those of these sessions. */
export async function withUnmovedTurns(db: Database, sessionIds: readonly string[]): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select p.id::text as id from practice_history as p
    where p.id in (${idList(sessionIds)}) and ${HAS_UNMOVED_TURNS}`)) as { rows: unknown[] };
  return z
    .array(Changed)
    .parse(rows)
    .map(({ id }) => id);
}

/** The stored turns of these sessions become rows before anything is computed from their rows. */
export async function moveStoredTurns(
  tx: Database,
  { batch, sessionIds, stamp }: { batch: Batch; sessionIds: readonly string[]; stamp: Stamp },
): Promise<number> {
  if (sessionIds.length === 0) return 0;
  const { rows } = (await tx.execute(sql`
    select p.id::text as id, p.entire_conversation as turns from practice_history as p
    where p.id in (${idList(sessionIds)}) and p.user_id = ${stamp.userId} and ${HAS_UNMOVED_TURNS}`)) as {
    rows: unknown[];
  };
  let moved = 0;
  for (const { id, turns } of z.array(Stored).parse(rows)) {
    const session = batch.row('practiceHistory', id);
    const conversation = readTurns(turns);
    if (session === undefined || conversation.length === 0) continue;
    await loadForTurns(tx, { batch, sessionId: id, conversation, userId: stamp.userId });
    try {
      takeApart(batch, storedConversation(session, id, conversation), stamp);
      moved += 1;
    } catch (error) {
      // More turns than a session may have, or a turn that is another learner's: the others are moved.
      if (!(error instanceof MutationRefused)) throw error;
    }
  }
  return moved;
}

/** Turns that cannot be read stay where they are. */
const readTurns = (stored: unknown): Conversation =>
  (Array.isArray(stored) ? stored : []).flatMap((turn) => {
    const read = Turn.safeParse(turn);
    return read.success ? [read.data] : [];
  });

function storedConversation(session: Values, sessionId: string, turns: Conversation): SentConversation {
  const said = clockOf(readClocks(session['fieldClocks']), 'entireConversation');
  const createdAt = session['createdAt'] as Date;
  const time = said ?? formatHybridTime({ ms: createdAt.getTime(), counter: 0, deviceId: SERVER_ID });
  return { sessionId, turns, time };
}

/** Those whose conversation became another. */
export async function storeProjections(tx: Database, batch: Batch, { at, version }: Stamp): Promise<string[]> {
  const sessionIds = new Set<string>();
  for (const { sessionId } of batch.written('aiConversations').values())
    if (typeof sessionId === 'string') sessionIds.add(sessionId);
  const changed: string[] = [];
  const { id, entireConversation } = tables.practiceHistory;
  for (const sessionId of sessionIds) {
    const projected = sql`${JSON.stringify(projectSession(batch, sessionId))}::jsonb`;
    const rows: unknown[] = await tx
      .update(tables.practiceHistory)
      .set({ entireConversation: projected as never, updatedAt: at, syncVersion: version })
      .where(and(eq(id, sessionId), sql`${entireConversation} is distinct from ${projected}`))
      .returning({ id });
    for (const { id: found } of z.array(Changed).parse(rows)) changed.push(found);
  }
  return changed;
}
