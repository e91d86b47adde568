/** Whether a recording says enough to go on with it. */
import type { WaitingTurn } from '@parley/contract';

/** A service that failed says nothing about what was heard, and neither does a choice between replies. */
export const wasUnderstood = (turn: WaitingTurn): boolean =>
  turn.status !== 'unusable' &&
  !(turn.status === 'not_recognised' && turn.failure === null && turn.candidates.length === 0);
