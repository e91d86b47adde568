/** A learner's turn with its score, which opens the detailed feedback. */
import { t } from '@parley/i18n';
import type { LearnerTurn } from '@parley/domain';
import { Badge, Button, cx, formatScore, MutedText, scoreBand, scoreForScreenReader, typographic } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import css from '../practice.module.css';
import { TurnFeedback, UntranscribedRecording } from '../feedback/turn-feedback.tsx';

export function LearnerBubble({ turn, isModelCoach }: { turn: LearnerTurn; isModelCoach: boolean }): ReactElement {
  const [isFeedbackOpen, setFeedbackOpen] = useState(false);
  const { assessment } = turn;
  return (
    <div className={css['turn']}>
      <div className={css['name']}>{t('You')}</div>
      <div className={css['list']}>
        <div className={css['tools']}>
          {turn.text === '' && turn.recordingId !== null ? (
            <UntranscribedRecording recordingId={turn.recordingId} />
          ) : (
            <p className={css['myLine']} lang="en">
              {typographic(turn.text)}
            </p>
          )}
          {assessment !== null && (
            <button
              type="button"
              className={cx(css['dot'], css[scoreBand(assessment.pron)])}
              aria-expanded={isFeedbackOpen}
              aria-label={t('Pronunciation {pron}. Show the feedback', { pron: scoreForScreenReader(assessment.pron) })}
              onClick={() => setFeedbackOpen(!isFeedbackOpen)}
            >
              {formatScore(assessment.pron)}
            </button>
          )}
          {turn.mode === 'typed' && <Badge icon="keyboard">{t('written')}</Badge>}
        </div>
        {!turn.fitted && (
          <MutedText small>
            {isModelCoach
              ? t('Your coach couldn’t answer that. Say it another way.')
              : t('Your coach couldn’t follow that, and asked again.')}
          </MutedText>
        )}
        {isFeedbackOpen && assessment !== null && turn.recordingId !== null && (
          <>
            <TurnFeedback text={turn.text} assessment={assessment} recordingId={turn.recordingId} />
            <Button variant="quiet" onPress={() => setFeedbackOpen(false)}>
              {t('Close')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
