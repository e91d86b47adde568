/** The phoneme chart: how well each sound has been said recently, how well at first, and the number of attempts. */
import { formatList, t } from '@parley/i18n';
import type { ProgressSound } from '@parley/contract';
import { formatScore, scoreBand, typographic } from '@parley/ui';
import { type ReactElement, useSyncExternalStore } from 'react';
import { wordWithSound } from '../foundation/sentences/sound-name.ts';
import css from './progress.module.css';

interface Layout {
  width: number;
  rowHeight: number;
  /** The vertical centre of the texts, and of the bar, from the top of the row. */
  textMiddle: number;
  barMiddle: number;
  bar: { left: number; right: number };
  /** The left edge of the score, and the right edge of the attempts. */
  score: number;
  attempts: number;
}

const WIDE: Layout = {
  width: 600,
  rowHeight: 36,
  textMiddle: 18,
  barMiddle: 18,
  bar: { left: 204, right: 430 },
  score: 450,
  attempts: 570,
};
/** The bar is below the texts, which would be too small if they were next to it. */
const NARROW: Layout = {
  width: 290,
  rowHeight: 52,
  textMiddle: 16,
  barMiddle: 38,
  bar: { left: 48, right: 290 },
  score: 196,
  attempts: 290,
};
const queryNarrowWindow = (): MediaQueryList => matchMedia('(max-width: 560px)');
const BAR_HEIGHT = 8;

function useLayout(): Layout {
  const isNarrow = useSyncExternalStore(
    (onChange) => {
      const query = queryNarrowWindow();
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => queryNarrowWindow().matches,
    () => false,
  );
  return isNarrow ? NARROW : WIDE;
}

/** The gap between a sound and its bar. */
const EXAMPLES_LENGTH = 18;

/** The words in which the sound went wrong; for a sound that never did, a common word, so that every symbol is explained. */
function fittingExamples({ sound, examples }: ProgressSound): string {
  const both = examples.join(', ');
  if (both !== '' && both.length <= EXAMPLES_LENGTH) return both;
  return examples.find(({ length }) => length <= EXAMPLES_LENGTH) ?? wordWithSound(sound) ?? '';
}

export const attemptsText = (attempts: number): string =>
  t('{attempts, plural, one {# time} other {# times}}', { attempts });

export function SoundChart({ sounds }: { sounds: readonly ProgressSound[] }): ReactElement {
  const { width, rowHeight, textMiddle, barMiddle, bar, score, attempts: attemptsEnd } = useLayout();
  const xOf = (accuracy: number): number => bar.left + (accuracy / 100) * (bar.right - bar.left);
  return (
    <svg
      className={css['sounds']}
      data-plot
      viewBox={`0 0 ${width} ${sounds.length * rowHeight}`}
      role="img"
      aria-label={t('Sounds, weakest first: {list}', {
        list: formatList(sounds.map(({ sound, accuracy }) => `${sound} ${formatScore(accuracy)}`)),
      })}
    >
      {sounds.map((progress, index) => {
        const { sound, accuracy, attempts, began } = progress;
        const text = index * rowHeight + textMiddle;
        const middle = index * rowHeight + barMiddle;
        const top = middle - BAR_HEIGHT / 2;
        return (
          <g key={sound}>
            <text className={css['soundSign']} x={0} y={text + 7}>
              {sound}
            </text>
            <text x={48} y={text + 5}>
              {typographic(fittingExamples(progress))}
            </text>
            <rect
              className={css['barRest']}
              x={bar.left}
              y={top}
              width={bar.right - bar.left}
              height={BAR_HEIGHT}
              rx={4}
            />
            <rect
              className={css['bar']}
              x={bar.left}
              y={top}
              width={xOf(accuracy) - bar.left}
              height={BAR_HEIGHT}
              rx={4}
            />
            {began !== null && <path className={css['tick']} d={`M${xOf(began)} ${middle - 8}V${middle + 8}`} />}
            <text className={css['soundScore']} data-band={scoreBand(accuracy)} x={score} y={text + 5}>
              {formatScore(accuracy)}
            </text>
            <text x={attemptsEnd} y={text + 5} textAnchor="end">
              {attemptsText(attempts)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
