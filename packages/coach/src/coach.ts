/** What every coach can do, whoever it is: the guided one that follows a written dialogue, or one that a language model plays. */
import type { CoachEvent, CoachReview, CompletedObjective, Turn } from '@parley/domain';

/** A conversation as far as it has come; where it has not begun, the coach opens it. */
export interface Held {
  turns: readonly Turn[];
  /** Objectives once ticked stay ticked. */
  completed: readonly Pick<CompletedObjective, 'objectiveId'>[];
}

/** The coach of one practice. */
export interface Coach {
  /** Answers the last turn, or opens the conversation. Ends with a `line`; throws when it cannot answer. */
  reply: (held: Held, signal: AbortSignal) => AsyncIterable<CoachEvent>;
  /** Up to three sentences that the learner could say now: words to begin with, an opening, or the whole, by `level` 1 to 3. */
  hint: (held: Held, asked: { level: 1 | 2 | 3; signal: AbortSignal }) => Promise<string[]>;
  review: (held: Held, signal: AbortSignal) => Promise<CoachReview>;
}
