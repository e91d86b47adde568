/** What the result said before an answer was scored later, or the coach's review arrived. */
import { t } from '@parley/i18n';
import type { EarlierFeedback as Feedback, ResultView } from '@parley/contract';
import { formatScore } from '@parley/ui';
import type { ReactElement } from 'react';
import { DIMENSION_NAMES } from '../../foundation/scores/dimension-names.ts';
import { formatDateTime } from '../../foundation/sentences/format-date.ts';
import { type FeedbackContext, showFeedback } from './feedback-sentence.ts';
import css from '../practice.module.css';

export function EarlierFeedback({
  view,
}: {
  view: FeedbackContext & Pick<ResultView, 'earlierFeedback'>;
}): ReactElement | null {
  if (view.earlierFeedback.length === 0) return null;
  return (
    <details className={css['measured']}>
      <summary>{t('How this result has changed')}</summary>
      <p>{t('A result changes when an answer is scored later, or when your coach’s feedback arrives.')}</p>
      <dl>
        {view.earlierFeedback.map((feedback) => (
          <div key={feedback.feedbackId}>
            <dt>{formatDateTime(feedback.at.toISOString())}</dt>
            <dd>{scoresOf(feedback)}</dd>
            {feedback.suggestions.map((stored) => {
              const { sentence, coachText } = showFeedback(stored, view);
              return (
                <dd key={stored} lang={sentence === null ? 'en' : undefined}>
                  {sentence ?? coachText}
                </dd>
              );
            })}
          </div>
        ))}
      </dl>
    </details>
  );
}

const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  pron: t('Pronunciation'),
  words: t('Words without errors (%)'),
  ...DIMENSION_NAMES,
};

/** What was not measured is left out, and so is what only a newer version of the app knows. */
function scoresOf({ overall, categories }: Feedback): string {
  const measured = [
    { name: t('Overall score'), score: overall },
    ...categories.map(({ category, score }) => ({ name: CATEGORY_NAMES[category], score })),
  ].flatMap(({ name, score }) => (name === undefined || score === null ? [] : [`${name} ${formatScore(score)}`]));
  return measured.length === 0 ? t('Nothing had been scored yet.') : measured.join(' · ');
}
