/**
 * The recognised text and its score. It stays mounted, because screen readers announce only changes to existing live
 * regions.
 */
import { t } from '@parley/i18n';
import type { TranscribedWord, WaitingTurn } from '@parley/contract';
import { MutedText, ScoreNumber, typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import css from '../practice.module.css';
import { TranscribedText } from './transcribed-text.tsx';

interface Heard {
  text: string;
  score: number | null;
  words?: readonly TranscribedWord[] | undefined;
}

/** Null without a turn, and while the learner is asked what they said, because the question then has the focus. */
function recognisedSpeechOf(waiting: WaitingTurn | null): Heard | null {
  if (waiting?.status === 'heard') return { text: waiting.text, score: waiting.assessment.pron, words: waiting.words };
  if (waiting?.status === 'not_scored' && waiting.text !== null) return { text: waiting.text, score: null };
  return null;
}

export interface HeardTurnProps {
  /** Null while it is not shown. */
  waiting: WaitingTurn | null;
  isBusy: boolean;
  onCorrect: (text: string) => void;
}

export function HeardTurn({ waiting, isBusy, onCorrect }: HeardTurnProps): ReactElement {
  const heard = recognisedSpeechOf(waiting);
  return (
    <div className={css['heardTurn']} aria-live="polite">
      {heard !== null && (
        <>
          <MutedText small>{t('We heard')}</MutedText>
          <div className={css['heard']}>
            <ScoreNumber score={heard.score} label={t('Pronunciation')} />
            {heard.words === undefined ? (
              <p className={css['said']} lang="en">
                {typographic(heard.text)}
              </p>
            ) : (
              <TranscribedText text={heard.text} words={heard.words} isBusy={isBusy} onCorrect={onCorrect} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
