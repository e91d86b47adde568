/** Sessions that nobody came back to, and scores and reviews that could not be had before. */
import {
  FINISH_UNASKED_AFTER_MS,
  idleSessionAction,
  isEnoughToScore,
  MIN_TURNS_TO_SCORE,
  speakingMs,
} from '@parley/domain';
import { and, eq, isNull, lte } from 'drizzle-orm';
import { practiceHistory, scoringAttempts, type WAITING_FOR } from '../store/index.ts';
import { assessmentsOf, type Completion, completeUnscored } from './complete-session.ts';
import type { Session } from './session-rows.ts';
import { scoringOf } from './session-view.ts';

export async function finishWhatIsDue(
  completion: Completion,
  { completeOnce, reviewOnce }: Record<'completeOnce' | 'reviewOnce', (session: Session) => Promise<void>>,
): Promise<void> {
  for (const session of leftAlone(completion)) {
    if (isWorthScoring(session)) await completeOnce(session);
    else completeUnscored(completion, session);
  }
  for (const { session, waitsFor } of dueNow(completion))
    await (waitsFor === 'scores' ? completeOnce(session) : reviewOnce(session));
}

function leftAlone({ store }: Completion): Session[] {
  const now = store.clock.now().getTime();
  return store.db
    .select()
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.userId, store.identity().userId),
        eq(practiceHistory.status, 'in_progress'),
        isNull(practiceHistory.deletedAt),
        lte(practiceHistory.updatedAt, new Date(now - FINISH_UNASKED_AFTER_MS)),
      ),
    )
    .all()
    .filter(
      (session) =>
        scoringOf(store, session) === null &&
        idleSessionAction({ idleMs: now - session.updatedAt.getTime() }) === 'finish',
    );
}

function isWorthScoring(session: Session): boolean {
  const learnerTurns = session.entireConversation.filter((turn) => turn.role === 'learner').length;
  // Nobody speaks in a typed session: its turns are all there is to go by.
  if (session.communicationStyle === 'text') return learnerTurns >= MIN_TURNS_TO_SCORE;
  const speechMs = assessmentsOf(session.entireConversation).reduce((sum, one) => sum + speakingMs(one), 0);
  return isEnoughToScore({ learnerTurns, speechMs });
}

function dueNow({ store }: Completion): { session: Session; waitsFor: (typeof WAITING_FOR)[number] }[] {
  return store.db
    .select({ session: practiceHistory, waitsFor: scoringAttempts.waitsFor })
    .from(scoringAttempts)
    .innerJoin(practiceHistory, eq(practiceHistory.id, scoringAttempts.sessionId))
    .where(and(lte(scoringAttempts.nextAttemptAt, store.clock.now()), isNull(practiceHistory.deletedAt)))
    .all();
}
