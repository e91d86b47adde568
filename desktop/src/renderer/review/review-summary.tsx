/** The end of a review: which words went well, and when each comes back. */
import { daysUntil } from '@parley/domain';
import { t } from '@parley/i18n';
import { Button, MutedText, formatScore, typographic } from '@parley/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import css from './review.module.css';
import type { FinishedCard } from './review-progress.ts';

const CLEAR_FROM = 80;

export function ReviewSummary(props: { finished: readonly FinishedCard[]; onLeave: () => void }): ReactElement {
  const { finished, onLeave } = props;
  const [shownAt] = useState(() => new Date());
  const heading = useRef<HTMLHeadingElement>(null);
  // A second press of the key that graded the last card would activate a button here.
  useEffect(() => heading.current?.focus(), []);
  const clear = finished.filter(({ accuracy }) => accuracy >= CLEAR_FROM).length;
  return (
    <div className={css['summary']}>
      <h1 ref={heading} tabIndex={-1}>
        {clear === finished.length
          ? t('Every word was clear.')
          : t('{count, plural, one {{clear} of # word was clear.} other {{clear} of # words were clear.}}', {
              clear,
              count: finished.length,
            })}
      </h1>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{t('Word')}</th>
            <th scope="col">{t('Score')}</th>
            <th scope="col">{t('Next review in')}</th>
          </tr>
        </thead>
        <tbody>
          {finished.map(({ card, accuracy, attemptId, due }) => (
            <tr key={attemptId}>
              <th scope="row" lang="en">
                {typographic(card.word)}
              </th>
              <td>{formatScore(accuracy)}</td>
              <td>
                {due === null
                  ? t('Off your list')
                  : t('{days, plural, one {# day} other {# days}}', { days: daysUntil(due, shownAt) })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MutedText>{t('A word leaves the list after two clear reviews on different days.')}</MutedText>
      <Button variant="primary" onPress={onLeave}>
        {t('Done')}
      </Button>
    </div>
  );
}
