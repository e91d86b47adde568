/** Defines which sessions count as practice: a session can be completed although the learner said nothing. */
import { type SQL, sql } from 'drizzle-orm';

/**
 * Whether the learner said something in the session; `session` names `practice_history` in the query. Only the turns of
 * the few sessions without a score are looked up, which is why this is a scalar subquery: unlike an `exists`,
 * PostgreSQL cannot turn it into a hash of all turns.
 */
export function hasLearnerTurn(session: 'h' | 'practice_history'): SQL {
  const of = sql.identifier(session);
  return sql`(${of}.score is not null or (
    select 1 from ai_conversations t
    where t.session_id = ${of}.id and t.role = 'learner' and t.deleted_at is null limit 1) is not null)`;
}

/** Whether the session is completed and the learner said something in it. */
export const isPractised = (session: 'h' | 'practice_history'): SQL =>
  sql`(${sql.identifier(session)}.status = 'completed' and ${hasLearnerTurn(session)})`;
