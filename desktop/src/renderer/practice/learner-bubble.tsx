/** What the learner said, with a small dot that opens its feedback. */
import type { LearnerTurn } from '@parley/domain';
import { Badge, Button, cx, formatScore, Quiet, scoreBand, spokenScore } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import css from './practice.module.css';
import { TurnFeedback, WordlessTurn } from './turn-feedback.tsx';

export function LearnerBubble({ turn, isLive }: { turn: LearnerTurn; isLive: boolean }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const { assessment } = turn;
  return (
    <div className={cx(css['turn'], css['mine'])}>
      <div className={css['bubble']}>
        <div className={css['tools']}>
          {turn.text === '' && turn.recordingId !== null ? (
            <WordlessTurn recordingId={turn.recordingId} />
          ) : (
            <p style={{ flex: 1 }}>{turn.text}</p>
          )}
          {assessment !== null && (
            <button
              type="button"
              className={cx(css['dot'], css[scoreBand(assessment.pron)])}
              aria-expanded={isOpen}
              aria-label={`Pronunciation ${spokenScore(assessment.pron)}. Show the feedback`}
              onClick={() => setOpen(!isOpen)}
            >
              {formatScore(assessment.pron)}
            </button>
          )}
          {turn.mode === 'typed' && <Badge icon="keyboard">written</Badge>}
        </div>
        {!turn.fitted && (
          <Quiet small>
            {isLive
              ? 'Your coach would not answer this. Say it another way.'
              : 'This did not fit here, so your coach asks again.'}
          </Quiet>
        )}
        {isOpen && assessment !== null && turn.recordingId !== null && (
          <>
            <TurnFeedback text={turn.text} assessment={assessment} recordingId={turn.recordingId} />
            <Button look="quiet" onPress={() => setOpen(false)}>
              Close
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
