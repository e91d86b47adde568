/** The phoneme chart: how well each sound has been said recently, where it began, and how many attempts that rests on. */
import { formatList, t } from '@parley/i18n';
import type { ProgressSound } from '@parley/contract';
import { formatScore, scoreBand } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './progress.module.css';

const WIDTH = 600;
const ROW = 36;
const BAR = { left: 204, right: 430 } as const;
const BAR_HEIGHT = 8;

/** What fits between a sound and its bar. */
const EXAMPLES_LENGTH = 18;

function fittingExamples(examples: readonly string[]): string {
  const both = examples.join(', ');
  return both.length <= EXAMPLES_LENGTH ? both : (examples.find(({ length }) => length <= EXAMPLES_LENGTH) ?? '');
}

const xOf = (accuracy: number): number => BAR.left + (accuracy / 100) * (BAR.right - BAR.left);

export const attemptsText = (attempts: number): string =>
  t('{attempts, plural, one {# time} other {# times}}', { attempts });

export function SoundChart({ sounds }: { sounds: readonly ProgressSound[] }): ReactElement {
  return (
    <svg
      className={css['sounds']}
      data-plot
      viewBox={`0 0 ${WIDTH} ${sounds.length * ROW}`}
      role="img"
      aria-label={t('Sounds, weakest first: {list}', {
        list: formatList(sounds.map(({ sound, accuracy }) => `${sound} ${formatScore(accuracy)}`)),
      })}
    >
      {sounds.map(({ sound, accuracy, attempts, began, examples }, index) => {
        const middle = index * ROW + ROW / 2;
        const top = middle - BAR_HEIGHT / 2;
        return (
          <g key={sound}>
            <text className={css['soundSign']} x={0} y={middle + 7}>
              {sound}
            </text>
            <text x={48} y={middle + 5}>
              {fittingExamples(examples)}
            </text>
            <rect
              className={css['barRest']}
              x={BAR.left}
              y={top}
              width={BAR.right - BAR.left}
              height={BAR_HEIGHT}
              rx={4}
            />
            <rect
              className={css['bar']}
              x={BAR.left}
              y={top}
              width={xOf(accuracy) - BAR.left}
              height={BAR_HEIGHT}
              rx={4}
            />
            {began !== null && <path className={css['tick']} d={`M${xOf(began)} ${middle - 8}V${middle + 8}`} />}
            <text className={css['soundScore']} data-band={scoreBand(accuracy)} x={450} y={middle + 5}>
              {formatScore(accuracy)}
            </text>
            <text x={500} y={middle + 5}>
              {attemptsText(attempts)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
