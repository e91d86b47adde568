/** Repeats one word of a result, and shows sound by sound what has changed. The session itself does not change. */
import { t } from '@parley/i18n';
import type { DrillAttempt } from '@parley/contract';
import { listedSpelling, type WordAssessment } from '@parley/domain';
import { Banner, formatScore, MutedText, PhonemeStrip, typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import { RecordButton } from '../../audio/index.ts';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { accuraciesBefore, reviewedWord } from '../../review/index.ts';
import css from '../practice.module.css';
import { useRetry } from './use-retry.ts';

export function RetryWord({ before }: { before: WordAssessment }): ReactElement {
  const { recorder, start, attempt } = useRetry(listedSpelling(before.word));
  return (
    <div className={css['list']}>
      <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop and see your score')} />
      {attempt !== null && (
        <div className={css['list']} role="status">
          <Outcome attempt={attempt} before={before} />
        </div>
      )}
    </div>
  );
}

function Outcome({ attempt, before }: { attempt: DrillAttempt; before: WordAssessment }): ReactElement {
  const { assessment, text } = attempt;
  if (assessment.unusable !== undefined) return <Banner tone="warn">{unusableSentence(assessment.unusable)}</Banner>;
  const word = reviewedWord(text, assessment);
  if (word === undefined)
    return (
      <Banner tone="warn">
        {t('The word wasn’t in the recording. Say “{text}” again.', { text: typographic(text) })}
      </Banner>
    );
  const scores = { now: formatScore(word.accuracy), before: formatScore(before.accuracy) };
  return (
    <>
      <PhonemeStrip phonemes={word.phonemes} before={accuraciesBefore(word.phonemes, before.phonemes)} />
      <MutedText>
        {before.accuracy === null
          ? t('The word scored {now} of 100.', scores)
          : t('The word scored {now} of 100. Before, it was {before}.', scores)}
      </MutedText>
    </>
  );
}
