/** One measure by week or by day as bars. The newest value is written next to its title. */
import { formatList, t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { formatDay } from '../foundation/screen/format.ts';
import css from './week-plot.module.css';

export interface WeekPoint {
  start: string;
  /** Null when nothing was measured. */
  value: number | null;
  text: string;
}

export function WeekPlot({
  title,
  points,
  max,
  unit = 'week',
}: {
  title: string;
  points: readonly WeekPoint[];
  max?: number;
  unit?: 'week' | 'day';
}): ReactElement {
  const top = max ?? Math.max(1, ...points.map(({ value }) => value ?? 0));
  const label = `${title}: ${formatList(points.map(({ start, text }) => `${formatDay(start, 'UTC')} ${text}`))}`;
  const last = points.at(-1);
  const describe = ({ start, text }: WeekPoint): string =>
    unit === 'week'
      ? t('Week from {day}: {value}', { day: formatDay(start, 'UTC'), value: text })
      : `${formatDay(start, 'UTC')}: ${text}`;
  return (
    <figure className={css['plot']}>
      <figcaption>
        {title} <b>{last?.text}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${points.length * 10} 50`}
        preserveAspectRatio="none"
        className={css['bars']}
        role="img"
        aria-label={label}
      >
        {points.map((point, index) => {
          const { start, value } = point;
          const height = value === null ? 0.5 : Math.max(0.5, (value / top) * 48);
          return (
            <rect
              key={start}
              x={index * 10 + 1.5}
              width={7}
              y={50 - height}
              height={height}
              className={index === points.length - 1 ? css['now'] : css['before']}
            >
              <title>{describe(point)}</title>
            </rect>
          );
        })}
      </svg>
      <div className={css['ends']} aria-hidden="true">
        <bdi>{points[0] === undefined ? '' : formatDay(points[0].start, 'UTC')}</bdi>
        <bdi>{unit === 'week' ? t('this week') : t('today')}</bdi>
      </div>
    </figure>
  );
}
