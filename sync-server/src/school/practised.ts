/** Defines which sessions count as practice: a session can be completed although the learner said nothing. */
import { type SQL, sql } from 'drizzle-orm';

/**
 * The learner said something in the session; `session` names `practice_history` in the query. Few sessions have no score, and only their
 * turns are looked up. A scalar subquery cannot be turned into a hash of all turns, as an `exists` can.
 */
export function hasLearnerTurn(session: 'h' | 'practice_history'): SQL {
  const of = sql.identifier(session);
  return sql`(${of}.score is not null or (
    select 1 from ai_conversations t
    where t.session_id = ${of}.id and t.role = 'learner' and t.deleted_at is null limit 1) is not null)`;
}

/** The session is completed, and the learner said something in it. */
export const isPractised = (session: 'h' | 'practice_history'): SQL =>
  sql`(${sql.identifier(session)}.status = 'completed' and ${hasLearnerTurn(session)})`;
