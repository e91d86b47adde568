/** The result as it was before an answer was scored later, or before the coach's review arrived. */
import { t } from '@parley/i18n';
import type { EarlierFeedback as Feedback, ResultView } from '@parley/contract';
import { formatScore, typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import { DIMENSION_NAMES, DIMENSION_ORDER } from '../../foundation/scores/dimension-names.ts';
import { formatDateTime } from '../../foundation/sentences/format-date.ts';
import { type FeedbackContext, showFeedback } from './feedback-sentence.ts';
import css from '../practice.module.css';

export function EarlierFeedback({
  view,
}: {
  view: FeedbackContext & Pick<ResultView, 'earlierFeedback'>;
}): ReactElement | null {
  if (view.earlierFeedback.length === 0) return null;
  // Suggestions refer to corrections by their position in the earlier feedback, which is not kept.
  const then = { ...view, feedback: null };
  return (
    <details className={css['measured']}>
      <summary>{t('Earlier versions of this result')}</summary>
      <p>{t('A result changes when an answer is scored later, or when your coach’s feedback arrives.')}</p>
      <dl>
        {view.earlierFeedback.map((feedback) => (
          <div key={feedback.feedbackId}>
            <dt>{formatDateTime(feedback.at.toISOString())}</dt>
            <dd>{scoresOf(feedback)}</dd>
            {feedback.suggestions.map((stored, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes, and two suggestions may be equal
              <Suggestion key={place} {...showFeedback(stored, then)} />
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}

function Suggestion({ sentence, coachText }: ReturnType<typeof showFeedback>): ReactElement | null {
  if (sentence === null && coachText === null) return null;
  return (
    <>
      {sentence !== null && <dd>{sentence}</dd>}
      {coachText !== null && <dd lang="en">{typographic(coachText)}</dd>}
    </>
  );
}

/** The scores in a result, in order. Dimensions that were not measured are left out. */
function scoresOf({ overall, categories }: Feedback): string {
  const scoreByCategory = new Map(categories.map(({ category, score }) => [category, score]));
  const measured = [
    { name: t('Overall score'), score: overall },
    ...DIMENSION_ORDER.map((name) => ({ name: DIMENSION_NAMES[name], score: scoreByCategory.get(name) ?? null })),
  ].flatMap(({ name, score }) => (score === null ? [] : [`${name} ${formatScore(score)}`]));
  return measured.length === 0 ? t('Not scored at that time.') : measured.join(' · ');
}
