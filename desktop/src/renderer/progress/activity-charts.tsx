/** The days on which the learner practised, and the totals of each week. */
import { formatList, t } from '@parley/i18n';
import type { ActivityDay, ActivityWeek } from '@parley/contract';
import type { ReactElement } from 'react';
import { formatLongDay, formatNumber, formatShortDay } from './format-day.ts';
import css from './progress.module.css';

const WIDTH = 330;
const DAYS = { height: 112, base: 86, top: 8 } as const;
const WEEKS = { height: 144, base: 96, top: 14 } as const;
/** A day or week with any minutes must stay visible next to a long one. */
const MIN_BAR = 4;

const greatest = (values: readonly number[]): number => Math.max(1, ...values);

const minutesText = (minutes: number): string =>
  t('{minutes, plural, one {# minute} other {# minutes}}', { minutes: Math.round(minutes) });

function describeDay({ day, minutes, words }: ActivityDay): string {
  const date = formatLongDay(day);
  if (minutes > 0) return t('{date}: {what}', { date, what: minutesText(minutes) });
  return t('{date}: {what}', { date, what: words > 0 ? t('drills or reviews') : t('rest day') });
}

/** A bar for each day with a practice, a ring for drills and reviews only, and a dot for a rest day. */
export function DaysChart({ days }: { days: readonly ActivityDay[] }): ReactElement {
  const step = WIDTH / days.length;
  const most = greatest(days.map(({ minutes }) => minutes));
  const active = days.filter(({ isPractised }) => isPractised).length;
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <svg
      className={css['plot']}
      data-plot
      viewBox={`0 0 ${WIDTH} ${DAYS.height}`}
      role="img"
      aria-label={t('You practised on {active} of the last {count} days', { active, count: days.length })}
    >
      {days.map((day, index) => {
        const x = (index + 0.5) * step;
        const height = Math.max(MIN_BAR, (day.minutes / most) * (DAYS.base - DAYS.top));
        return (
          <g key={day.day}>
            <title>{describeDay(day)}</title>
            <rect className={css['slot']} x={x - step / 2} y={0} width={step} height={DAYS.base + 6} />
            {day.minutes > 0 ? (
              <path
                className={day.isPractised ? css['day'] : css['begun']}
                strokeWidth={Math.min(10, step * 0.55)}
                d={`M${x} ${DAYS.base - height}V${DAYS.base}`}
              />
            ) : (
              <circle
                className={day.isPractised ? css['ring'] : day.words > 0 ? css['begunRing'] : css['dot']}
                cx={x}
                cy={DAYS.base}
                r={day.words > 0 ? 3 : 2}
              />
            )}
          </g>
        );
      })}
      {first !== undefined && (
        <text x={0} y={DAYS.height - 4}>
          {formatShortDay(first.day)}
        </text>
      )}
      {last !== undefined && (
        <text x={WIDTH} y={DAYS.height - 4} textAnchor="end">
          {formatShortDay(last.day)}
        </text>
      )}
    </svg>
  );
}

/** Minutes as bars with their numbers. */
export function WeeksChart({ weeks }: { weeks: readonly ActivityWeek[] }): ReactElement {
  const step = WIDTH / weeks.length;
  const most = greatest(weeks.map(({ minutes }) => minutes));
  const [first, last] = [weeks.at(0), weeks.at(-1)];
  const total = weeks.reduce((sum, { minutes }) => sum + minutes, 0);
  const learned = weeks.reduce((sum, { wordsLearned }) => sum + wordsLearned, 0);
  return (
    <svg
      className={css['plot']}
      data-plot
      viewBox={`0 0 ${WIDTH} ${WEEKS.height}`}
      role="img"
      aria-label={t('The last {count} weeks: {minutes}, {words}', {
        count: weeks.length,
        minutes: minutesText(total),
        words: wordsText(learned),
      })}
    >
      {weeks.map(({ monday, minutes, wordsLearned }, index) => {
        const x = (index + 0.5) * step;
        const height = minutes === 0 ? 0 : Math.max(MIN_BAR, (minutes / most) * (WEEKS.base - WEEKS.top - 14));
        return (
          <g key={monday}>
            <title>
              {t('{date}: {what}', {
                date: t('Week of {date}', { date: formatLongDay(monday) }),
                what: formatList([minutesText(minutes), wordsText(wordsLearned)]),
              })}
            </title>
            <rect className={css['slot']} x={x - step / 2} y={0} width={step} height={WEEKS.base + 6} />
            {minutes > 0 ? (
              <>
                <path
                  className={css['day']}
                  strokeWidth={Math.min(14, step * 0.5)}
                  d={`M${x} ${WEEKS.base - height}V${WEEKS.base}`}
                />
                <text x={x} y={WEEKS.base - height - 12} textAnchor="middle">
                  {formatNumber(minutes)}
                </text>
              </>
            ) : (
              <circle className={css['dot']} cx={x} cy={WEEKS.base} r={2} />
            )}
            {wordsLearned > 0 && (
              <text className={css['learned']} x={x} y={WEEKS.base + 22} textAnchor="middle">
                +{wordsLearned}
              </text>
            )}
          </g>
        );
      })}
      {first !== undefined && (
        <text x={0} y={WEEKS.height - 2}>
          {formatShortDay(first.monday)}
        </text>
      )}
      {last !== undefined && (
        <text x={WIDTH} y={WEEKS.height - 2} textAnchor="end">
          {formatShortDay(last.monday)}
        </text>
      )}
    </svg>
  );
}

export const wordsText = (words: number): string =>
  t('{words, plural, one {# word learned} other {# words learned}}', { words });
