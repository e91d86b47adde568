/**
 * Decides which sessions count as a practice. A session in which the learner said nothing can also be ended and
 * completed, but does not count.
 */
import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL for sessions with an answer. Only the few sessions without a score are looked up, by `rowid`, which every index
 * contains, so that sums over all sessions read no conversation. If a session's turns are still on the server, the
 * number announced decides: the coach begins, so one of several turns is an answer.
 */
export const answeredIn = (session: string): string => `(${session}.score IS NOT NULL OR EXISTS (
  SELECT 1 FROM practice_history s WHERE s.rowid = ${session}.rowid AND (
    EXISTS (SELECT 1 FROM ai_conversations t
      WHERE t.session_id = s.id AND t.role = 'learner' AND t.deleted_at IS NULL)
    OR EXISTS (SELECT 1 FROM missing_turns m
      WHERE m.session_id = s.id AND m.user_id = s.user_id AND m.announced > 1))))`;

/**
 * SQL that is true for a session that the learner has ended, even if scoring it failed; `session` names
 * `practice_history`.
 */
export const finishedIn = (session: string): string => `(${session}.status <> 'in_progress')`;

/** SQL that is true for a completed session in which the learner said something; `session` names `practice_history`. */
export const practisedIn = (session: string): string => `(${session}.status = 'completed' AND ${answeredIn(session)})`;

export const isPractised: SQL = sql.raw(practisedIn('practice_history'));

/** The session is in progress, could not be scored, or counts as a practice. */
export const isBegunOrPractised: SQL = sql.raw(
  `(practice_history.status <> 'completed' OR ${answeredIn('practice_history')})`,
);
