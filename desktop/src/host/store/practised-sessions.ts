/**
 * Decides which sessions count as a practice. One in which the learner said nothing can be ended too, and is completed;
 * but nothing was practised.
 */
import { type SQL, sql } from 'drizzle-orm';

/**
 * Few sessions have no score, so few are looked up: by `rowid`, which every index holds, so that the sums over all
 * sessions still read no conversation. The turns of a session may still be on the server only: the coach begins, so if
 * there are several, one is an answer.
 */
export const answeredIn = (session: string): string => `(${session}.score IS NOT NULL OR EXISTS (
  SELECT 1 FROM practice_history s WHERE s.rowid = ${session}.rowid AND (
    EXISTS (SELECT 1 FROM ai_conversations t
      WHERE t.session_id = s.id AND t.role = 'learner' AND t.deleted_at IS NULL)
    OR EXISTS (SELECT 1 FROM missing_turns m
      WHERE m.session_id = s.id AND m.user_id = s.user_id AND m.announced > 1))))`;

/** SQL that is true of a session that the learner has ended, even when scoring it failed; `session` names `practice_history`. */
export const finishedIn = (session: string): string => `(${session}.status <> 'in_progress')`;

/** SQL that is true of a completed session in which the learner said something; `session` names `practice_history`. */
export const practisedIn = (session: string): string => `(${session}.status = 'completed' AND ${answeredIn(session)})`;

export const isPractised: SQL = sql.raw(practisedIn('practice_history'));

/** The session goes on, could not be scored, or is a practice. */
export const isBegunOrPractised: SQL = sql.raw(
  `(practice_history.status <> 'completed' OR ${answeredIn('practice_history')})`,
);
