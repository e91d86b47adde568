/** Schedules the next attempt to score or review a session, until the attempts are used up. */
import { MAX_SCORING_ATTEMPTS, transitionPractice } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { scoringAttempts, type Store, updateRow } from '../../store/index.ts';
import { findSession, type Session } from '../session/session-rows.ts';
import { findPendingReview, findPendingScoring } from '../session/session-view.ts';
import { recordTurns } from './record-turns.ts';

interface ScoringAttemptsParts {
  store: Store;
  chance: () => number;
}

/** Delays between attempts, spread over a day. Each varies randomly by up to a quarter. */
const RETRY_DELAYS_MS = [15, 60, 240, 1_080].map((minutes) => minutes * 60_000);
export const LONGEST_RETRY_DELAY_MS: number = 1.25 * Math.max(...RETRY_DELAYS_MS);

export function deletePendingScoring(store: Store, sessionId: string): void {
  store.db.delete(scoringAttempts).where(eq(scoringAttempts.sessionId, sessionId)).run();
}

/** A session that was marked as failed has used up its attempts, so each one that the learner asks for is the last. */
export function isLastAttempt({ store }: Pick<ScoringAttemptsParts, 'store'>, session: Session): boolean {
  const waiting = findPendingScoring(store, session);
  return session.status === 'failed_to_generate_score' || (waiting?.attempts ?? 0) + 1 >= MAX_SCORING_ATTEMPTS;
}

/**
 * After the last attempt a session without scores is marked as failed; a session with scores keeps what was measured.
 */
export function recordFailedAttempt(completion: ScoringAttemptsParts, session: Session): void {
  const { store } = completion;
  store.transaction(() => {
    const waiting = findPendingScoring(store, session) ?? findPendingReview(store, session);
    if (waiting === null || scheduleRetry(completion, { ...waiting, attempts: waiting.attempts + 1 })) return;
    deletePendingScoring(store, session.id);
    if (!findSession(store, session.id).ok) return;
    const move = transitionPractice(session.status, { type: 'scoring_gave_up' });
    if (!move.ok) return;
    updateRow(store, 'practiceHistory', session.id, { status: move.status });
    recordTurns(store, session, session.entireConversation);
  });
}

type ScoringAttempt = Pick<typeof scoringAttempts.$inferSelect, 'sessionId' | 'waitsFor' | 'attempts'>;

/** Returns false when the attempts are used up. */
export function scheduleRetry(completion: ScoringAttemptsParts, after: ScoringAttempt): boolean {
  const waitMs = RETRY_DELAYS_MS[after.attempts - 1];
  if (after.attempts >= MAX_SCORING_ATTEMPTS || waitMs === undefined) return false;
  scheduleAttempt(completion, after, waitMs * (0.75 + 0.5 * completion.chance()));
  return true;
}

export function scheduleAttempt(
  { store }: Pick<ScoringAttemptsParts, 'store'>,
  { sessionId, ...waits }: ScoringAttempt,
  inMs: number,
): void {
  const now = store.clock.now();
  const next = { ...waits, nextAttemptAt: new Date(now.getTime() + inMs) };
  store.db
    .insert(scoringAttempts)
    .values({ sessionId, endedAt: now, ...next })
    .onConflictDoUpdate({ target: scoringAttempts.sessionId, set: next })
    .run();
  store.markChanged('practice_history');
}
