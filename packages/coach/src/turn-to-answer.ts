/** Whose turn it is: a coach answers what a learner said last, and nothing else. */
import type { LearnerTurn } from '@parley/domain';
import type { Held } from './coach.ts';

/** The coach has spoken last, or has said goodbye: an answer now would be an answer to itself. */
export class NothingToAnswer extends Error {
  constructor() {
    super('the learner has not spoken since the coach did, or the conversation is over');
  }
}

/** Null where the conversation has not begun. Throws `NothingToAnswer`. */
export function turnToAnswer(held: Held): LearnerTurn | null {
  const last = held.turns.at(-1);
  if (last === undefined) return null;
  if (last.role === 'coach' || isOver(held)) throw new NothingToAnswer();
  return last;
}

/** Whether the coach's last line was its goodbye. */
export const isOver = ({ turns }: Held): boolean => turns.findLast((turn) => turn.role === 'coach')?.kind === 'goodbye';
