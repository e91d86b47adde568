/** Asks a model coach to review a session. */
import type { CoachReview } from '@parley/domain';
import { toConversationSnapshot } from '../session/model-coach.ts';
import { isUntranscribed, type Session } from '../session/session-rows.ts';
import { hadModelCoach } from '../session/turn-order.ts';
import type { CompletionParts } from './completion-parts.ts';

/** A review needs a model coach and at least one transcribed turn. */
export const needsReview = (session: Pick<Session, 'entireConversation'>): boolean =>
  hadModelCoach(session) &&
  session.entireConversation.some((turn) => turn.role === 'learner' && !isUntranscribed(turn));

/** Asks a model coach for a review. Without a response, the session is judged only by what was measured here. */
export async function requestReview({ coach, logger }: CompletionParts, session: Session): Promise<CoachReview | null> {
  if (!needsReview(session)) return null;
  const review = await coach.review(toConversationSnapshot(session));
  if (review.ok) return review.value;
  logger.warn({ sessionId: session.id, code: review.error.code }, 'coach_review_failed');
  return null;
}
