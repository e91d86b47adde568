/** The recent trend of a word. */
import type { ListedWord } from '@parley/contract';
import { formatList, t } from '@parley/i18n';
import { formatScore, MutedText } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './review.module.css';

const TREND_HEIGHT = 22;
const TREND_STEP = 7;

/** The last scores as bars from 0 to 100. */
export function Trend({
  word: { recent, attempts, meanAccuracy },
}: {
  word: Pick<ListedWord, 'recent' | 'attempts' | 'meanAccuracy'>;
}): ReactElement {
  const last = recent.at(-1);
  // Only the mean is known of attempts that an older app has counted.
  if (last === undefined && attempts > 0) return <span className={css['trend']}>{formatScore(meanAccuracy)}</span>;
  // The learner may have said and graded the word without anything being scored.
  if (last === undefined) return <MutedText small>{t('No score yet')}</MutedText>;
  const label = t('Last scores: {recent}', { recent: formatList(recent.map((score) => String(Math.round(score)))) });
  return (
    <span className={css['trend']}>
      <svg width={recent.length * TREND_STEP} height={TREND_HEIGHT} role="img" aria-label={label}>
        {recent.map((score, index) => {
          const height = Math.max(1, (score / 100) * TREND_HEIGHT);
          return <rect key={index} x={index * TREND_STEP} y={TREND_HEIGHT - height} width={4} height={height} rx={2} />;
        })}
      </svg>
      {formatScore(last)}
    </span>
  );
}
