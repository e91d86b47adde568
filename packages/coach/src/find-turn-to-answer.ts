/** Determines the turn that a coach has to answer. */
import type { LearnerTurn } from '@parley/domain';
import type { ConversationState } from './coach.ts';

/** The coach spoke last or said goodbye, so answering now would be answering itself. */
export class NothingToAnswerError extends Error {
  constructor() {
    super('the last turn is not the learner’s, or the conversation has ended');
  }
}

/** Returns null when the conversation has not begun. Throws `NothingToAnswerError`. */
export function findTurnToAnswer(conversation: ConversationState): LearnerTurn | null {
  const last = conversation.turns.at(-1);
  if (last === undefined) return null;
  if (last.role === 'coach' || hasEnded(conversation)) throw new NothingToAnswerError();
  return last;
}

/** Whether the coach has said goodbye. */
export const hasEnded = ({ turns }: ConversationState): boolean =>
  turns.findLast((turn) => turn.role === 'coach')?.kind === 'goodbye';
