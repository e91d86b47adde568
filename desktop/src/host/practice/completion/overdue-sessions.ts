/** Finishes abandoned sessions, retries failed scores and reviews, and keeps turns that were left unsent. */
import {
  AUTO_FINISH_AFTER_MS,
  idleSessionAction,
  hasEnoughSpeechToScore,
  MIN_TURNS_TO_SCORE,
  type SessionId,
  speakingMs,
} from '@parley/domain';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import { hasMissingTurns, practiceHistory, scoringAttempts, type WAITING_FOR } from '../../store/index.ts';
import { collectAssessments } from './complete-session.ts';
import type { CompletionParts } from './completion-parts.ts';
import { completeUnscored } from './end-session.ts';
import { LONGEST_RETRY_DELAY_MS } from './scoring-attempts.ts';
import type { Session } from '../session/session-rows.ts';
import { findPendingScoring } from '../session/session-view.ts';
import { keepUnsentTurns } from '../turn/keep-unsent-turns.ts';

interface DueWork extends Record<'completeOnce' | 'reviewOnce', (session: Session) => Promise<void>> {
  /** Whether this device has just learned what other devices have done, or is the only one. */
  isUpToDate: boolean;
  /** Whether a window may show the session. */
  isShown: (sessionId: SessionId) => boolean;
}

export async function finishDueSessions(
  completion: CompletionParts,
  { completeOnce, reviewOnce, isUpToDate, isShown }: DueWork,
): Promise<void> {
  /** A session that cannot be finished must not block the others. */
  const inIsolation = async (session: Session, finish: () => Promise<void> | void): Promise<void> => {
    try {
      // Turns may still be on the server, and another device may have finished the session.
      if (!hasMissingTurns(completion.store, session.id)) await finish();
    } catch (error) {
      completion.logger.error({ err: error, sessionId: session.id }, 'overdue_session_not_finished');
    }
  };
  /**
   * Writing to a session that was deleted elsewhere would bring it back on every device. A session without a version is
   * known only to this device.
   */
  const isSettled = ({ syncVersion }: Session): boolean => isUpToDate || syncVersion === 0;
  keepUnsentTurns(completion);
  for (const found of findAbandonedSessions(completion).filter(isSettled)) {
    // Scoring the previous sessions may have taken minutes, during which the learner may have returned to this one.
    const session = findAbandonedSessions(completion, found.id).at(0);
    if (session === undefined || isShown(session.id)) continue;
    await inIsolation(session, () =>
      isWorthScoring(session) ? completeOnce(session) : completeUnscored(completion, session),
    );
  }
  for (const { session, waitsFor } of findDueAttempts(completion)) {
    // The learner has ended this practice here, and the device may stay offline for a long time.
    if (waitsFor !== 'scores' && !isSettled(session)) continue;
    await inIsolation(session, () => (waitsFor === 'scores' ? completeOnce(session) : reviewOnce(session)));
  }
}

function findAbandonedSessions({ store }: CompletionParts, sessionId?: SessionId): Session[] {
  const now = store.clock.now().getTime();
  return store.db
    .select()
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.userId, store.identity().userId),
        eq(practiceHistory.status, 'in_progress'),
        isNull(practiceHistory.deletedAt),
        lte(practiceHistory.updatedAt, new Date(now - AUTO_FINISH_AFTER_MS)),
        sessionId === undefined ? undefined : eq(practiceHistory.id, sessionId),
      ),
    )
    .all()
    .filter(
      (session) =>
        findPendingScoring(store, session) === null &&
        idleSessionAction({ idleMs: now - session.updatedAt.getTime() }) === 'finish',
    );
}

function isWorthScoring(session: Session): boolean {
  const learnerTurns = session.entireConversation.filter((turn) => turn.role === 'learner').length;
  // A typed session has no speech to measure, so only its turns count.
  if (session.communicationStyle === 'text') return learnerTurns >= MIN_TURNS_TO_SCORE;
  const speechMs = collectAssessments(session.entireConversation).reduce((sum, one) => sum + speakingMs(one), 0);
  return hasEnoughSpeechToScore({ learnerTurns, speechMs });
}

function findDueAttempts({ store }: CompletionParts): { session: Session; waitsFor: (typeof WAITING_FOR)[number] }[] {
  const now = store.clock.now();
  const { nextAttemptAt } = scoringAttempts;
  // An attempt in a later future was scheduled while the computer's clock was ahead.
  const isDue = or(lte(nextAttemptAt, now), gt(nextAttemptAt, new Date(now.getTime() + LONGEST_RETRY_DELAY_MS)));
  return store.db
    .select({ session: practiceHistory, waitsFor: scoringAttempts.waitsFor })
    .from(scoringAttempts)
    .innerJoin(practiceHistory, eq(practiceHistory.id, scoringAttempts.sessionId))
    .where(and(isDue, isNull(practiceHistory.deletedAt)))
    .all();
}
