/** The interface that the guided coach and the model coach share. */
import type { CoachEvent, CoachReview, CompletedObjective, Turn } from '@parley/domain';

/** The conversation so far. When it is empty, the coach opens it. */
export interface ConversationState {
  turns: readonly Turn[];
  /** A completed objective stays completed. */
  completed: readonly Pick<CompletedObjective, 'objectiveId'>[];
}

/** A coach for one practice. */
export interface Coach {
  /** Answers the last turn, or opens the conversation. The stream ends with a `line` event; it throws when the coach cannot answer. */
  reply: (conversation: ConversationState, signal: AbortSignal) => AsyncIterable<CoachEvent>;
  /** Returns up to three sentences that the learner could say now, as keywords, openings or whole sentences (`level` 1 to 3). */
  hint: (conversation: ConversationState, asked: { level: 1 | 2 | 3; signal: AbortSignal }) => Promise<string[]>;
  review: (conversation: ConversationState, signal: AbortSignal) => Promise<CoachReview>;
}
