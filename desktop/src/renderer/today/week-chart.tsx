/** The minutes of this week as bars, from Monday to Sunday: a dot is a day without practice. */
import { formatLocale, t } from '@parley/i18n';
import type { TodayView } from '@parley/contract';
import type { ReactElement } from 'react';
import css from './today.module.css';

const HEIGHT_PX = 64;
/** Even one minute's bar is longer than a dot. */
const MIN_BAR_PX = 14;
const DOT_PX = 8;
/** In a week of short practices, a bar as high as the plot would look like a long one. */
const MIN_SCALE_MINUTES = 15;

const nameOf = (day: string, weekday: 'long' | 'narrow'): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(formatLocale(), { timeZone: 'UTC', weekday });

const describe = ({ day, minutes }: TodayView['weekDays'][number]): string =>
  t('{date}: {what}', {
    date: nameOf(day, 'long'),
    what: t('{minutes, plural, one {# minute} other {# minutes}}', { minutes: Math.round(minutes) }),
  });

export function WeekChart({ days }: { days: TodayView['weekDays'] }): ReactElement {
  const most = Math.max(MIN_SCALE_MINUTES, ...days.map(({ minutes }) => minutes));
  return (
    <ol className={css['weekDays']} dir="ltr">
      {days.map((day) => (
        <li key={day.day} title={describe(day)}>
          <span className={css['hidden']}>{describe(day)}</span>
          <i
            data-none={day.minutes === 0 ? '' : undefined}
            style={{ height: day.minutes === 0 ? DOT_PX : Math.max(MIN_BAR_PX, (day.minutes / most) * HEIGHT_PX) }}
          />
          <span aria-hidden="true">{nameOf(day.day, 'narrow')}</span>
        </li>
      ))}
    </ol>
  );
}
