/** The turns of a conversation. */
import type { SessionView } from '@parley/contract';
import { memo, type ReactElement } from 'react';
import { CoachBubble } from './coach-bubble.tsx';
import { ContinuationMark, startsContinuation } from './continuation-mark.tsx';
import { LearnerBubble } from './learner-bubble.tsx';

export interface TurnListProps {
  turns: SessionView['turns'];
  coach: SessionView['coach'];
  coachKind: SessionView['coachKind'];
  showsCoachText: boolean;
}

/** Not rendered again for each word of a reply, because a long conversation has hundreds of buttons. */
export const TurnList = memo(function TurnList(props: TurnListProps): ReactElement {
  const { turns, coach, coachKind, showsCoachText } = props;
  const lastCoachTurn = turns.findLastIndex(({ role }) => role === 'coach');
  return (
    <>
      {turns.map((turn, at) => (
        <li key={turn.turnId} style={{ display: 'grid' }}>
          {startsContinuation(turns, at) && <ContinuationMark />}
          {turn.role === 'coach' ? (
            <CoachBubble turn={turn} coach={coach} showText={showsCoachText} isLast={at === lastCoachTurn} />
          ) : (
            <LearnerBubble turn={turn} isModelCoach={coachKind === 'model'} />
          )}
        </li>
      ))}
    </>
  );
});
