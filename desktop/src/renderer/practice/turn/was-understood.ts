/** Whether the recording was understood well enough to continue. */
import type { WaitingTurn } from '@parley/contract';

/** A failed service says nothing about the recording, and neither does a choice between replies. */
export const wasUnderstood = (turn: WaitingTurn): boolean =>
  turn.status !== 'unusable' &&
  !(turn.status === 'not_recognised' && turn.failure === null && turn.candidates.length === 0);
