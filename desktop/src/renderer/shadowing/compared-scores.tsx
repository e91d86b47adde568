/** How closely the learner followed the model's melody and rhythm. A dash comes with its reason. */
import { t } from '@parley/i18n';
import type { ComparedScore, VoiceComparison } from '@parley/domain';
import { MutedText, ScoreNumber } from '@parley/ui';
import type { ReactElement } from 'react';
import { notComparedSentence } from './not-compared-sentence.ts';
import css from './shadowing.module.css';

export function ComparedScores({ comparison }: { comparison: VoiceComparison }): ReactElement {
  const { melody, rhythm } = comparison;
  const hasOneReason = melody.score === null && melody.whyNot === rhythm.whyNot;
  return (
    <div className={css['scores']} role="status">
      <Compared name={t('Melody like the model')} score={melody} isSilent={false} />
      <Compared name={t('Rhythm like the model')} score={rhythm} isSilent={hasOneReason} />
      <details className={css['measured']}>
        <summary>{t('How this is measured')}</summary>
        <p>
          {t(
            'Melody: how closely your voice rises and falls where the model’s does, word by word. Rhythm: how closely your timing from word to word matches the model’s. Your pitch and your speed make no difference. There are several good ways to say a sentence, so these two scores don’t count towards any other.',
          )}
        </p>
      </details>
    </div>
  );
}

/** `isSilent` leaves out a reason that the score next to it already gives. */
function Compared(props: { name: string; score: ComparedScore; isSilent: boolean }): ReactElement {
  const { name, score, isSilent } = props;
  return (
    <div className={css['compared']}>
      <span>{name}</span>
      <ScoreNumber score={score.score} label={name} />
      {score.whyNot !== null && !isSilent && <MutedText small>{notComparedSentence(score.whyNot)}</MutedText>}
    </div>
  );
}
