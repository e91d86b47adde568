/** Signals that the coach has finished speaking and it is the learner's turn. */
import type { SessionView } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { useEffect, useRef } from 'react';
import { useSpeaker } from '../../audio/index.ts';

export interface YourTurnCueOptions {
  session: SessionView;
  /** The coach's turn that has been spoken. */
  spokenTurnId: TurnId | null;
  /** Whether the learner is recording or sending a turn. */
  isBusy: boolean;
}

export function useYourTurnCue({ session, spokenTurnId, isBusy }: YourTurnCueOptions): void {
  const { cue } = useSpeaker();
  const mayAnswer = useRef(false);
  // The coach also falls silent when the learner interrupts, but recording has then already begun.
  mayAnswer.current = session.waitingTurn === null && !isBusy;
  const isSpoken = spokenTurnId !== null && session.turns.at(-1)?.turnId === spokenTurnId;
  useEffect(() => {
    if (isSpoken && mayAnswer.current) void cue('your_turn');
  }, [isSpoken, spokenTurnId, cue]);
}
