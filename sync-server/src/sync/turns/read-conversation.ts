/** Reads the conversation of a session for an export, in which the assessments are with the turns' own rows. */
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { projectTurns, type SessionOfLearner } from './project-turns.ts';

const Found = z.tuple([z.object({ turns: z.array(z.unknown()) })]);

/** Returns the turns in order, followed by those that an older server stored in one field and that have no rows. */
export async function readConversation(db: Database, session: SessionOfLearner): Promise<unknown[]> {
  const turns = (await projectTurns(db, session)).map((turn) => {
    if (turn.role === 'coach') return turn;
    const { assessment: _inItsRow, ...said } = turn;
    return said;
  });
  const { rows } = (await db.execute(sql`
    select coalesce(jsonb_agg(turn.value), '[]') as turns
    from practice_history as p cross join jsonb_array_elements(
      case when jsonb_typeof(p.entire_conversation) = 'array' then p.entire_conversation else '[]' end) as turn
    where p.id = ${session.sessionId} and p.user_id = ${session.userId} and not exists (
      select from ai_conversations as c where c.session_id = p.id and c.conversation_id::text = lower(turn.value ->> 'turnId'))`)) as {
    rows: unknown[];
  };
  return [...turns, ...Found.parse(rows)[0].turns];
}
