/** How much is practised, how well, whether courses are finished, and what it costs: each plot with its table. */
import { t } from '@parley/i18n';
import type { Week } from '@parley/contract';
import { SegmentedControl } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { formatCost, formatDay, formatNumber, formatScore } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { Conversion, Cost, Courses } from './share-sections.tsx';
import { TableBehind } from './table-behind.tsx';
import { WeekPlot } from './week-plot.tsx';

const PERIODS = [
  { value: '4', label: t('{count, plural, one {# week} other {# weeks}}', { count: 4 }) },
  { value: '12', label: t('{count, plural, one {# week} other {# weeks}}', { count: 12 }) },
  { value: '52', label: t('A year') },
] as const;
const WEEKS = { '4': 4, '12': 12, '52': 52 } as const;

export function NumbersScreen(): ReactElement {
  const { weeks = '12' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const numbers = useQuery(api.admin.numbers.queryOptions({ input: { weeks: WEEKS[weeks] } }));
  return (
    <Screen
      title={t('Statistics')}
      intro={t('Numbers only. What a learner said stays with the learner.')}
      action={
        <SegmentedControl
          label={t('Period')}
          hideLabel
          options={PERIODS}
          value={weeks}
          onChange={(next) => void navigate({ to: '.', search: { weeks: next } })}
        />
      }
    >
      <QueryView query={numbers}>
        {(data) => (
          <div className={table['stack']}>
            <Practice weeks={data.weeks} />
            <Courses courses={data.courses} />
            <Conversion {...data.conversion} />
            <Cost cost={data.cost} costByDay={data.costByDay} />
          </div>
        )}
      </QueryView>
    </Screen>
  );
}

function Practice({ weeks }: { weeks: readonly Week[] }): ReactElement {
  const plot = (
    title: string,
    of: (week: Week) => number | null,
    write: (value: number | null) => string,
    max?: number,
  ) => (
    <WeekPlot
      title={title}
      points={weeks.map((week) => ({ start: week.start, value: of(week), text: write(of(week)) }))}
      {...(max === undefined ? {} : { max })}
    />
  );
  const count = (value: number | null): string => formatNumber(value ?? 0);
  return (
    <section className={table['section']}>
      <h2>{t('By week')}</h2>
      {plot(t('Learners who spoke'), ({ learners }) => learners, count)}
      {plot(t('Practices finished'), ({ practices }) => practices, count)}
      {plot(t('Minutes of talking'), ({ minutes }) => minutes, count)}
      {plot(t('Median score'), ({ score }) => score, formatScore, 100)}
      <TableBehind name={t('Statistics by week')}>
        <thead>
          <tr>
            <th>{t('Week from')}</th>
            <th className={table['end']}>{t('Learners')}</th>
            <th className={table['end']}>{t('Practices')}</th>
            <th className={table['end']}>{t('Minutes')}</th>
            <th className={table['end']}>{t('Median score')}</th>
            <th className={table['end']}>{t('Cost of AI')}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map((week) => (
            <tr key={week.start}>
              <td>{formatDay(week.start, 'UTC')}</td>
              <td className={table['end']}>{formatNumber(week.learners)}</td>
              <td className={table['end']}>{formatNumber(week.practices)}</td>
              <td className={table['end']}>{formatNumber(week.minutes)}</td>
              <td className={table['end']}>{formatScore(week.score)}</td>
              <td className={table['end']}>{formatCost(week.costMicros)}</td>
            </tr>
          ))}
        </tbody>
      </TableBehind>
    </section>
  );
}
