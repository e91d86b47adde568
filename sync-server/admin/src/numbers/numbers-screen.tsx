/** How much is practised, how well, whether courses are finished, and what it costs: each plot with its table. */
import { t } from '@parley/i18n';
import type { AdminNumbers, Week } from '@parley/contract';
import { SegmentedControl } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { formatCost, formatDay, formatNumber, formatScore, formatShare } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
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
      intro={t('Counts and means only. What a learner said stays with the learner.')}
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
            <Cost cost={data.cost} />
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
      <details>
        <summary>{t('Show as a table')}</summary>
        <div className={table['scroll']} tabIndex={0} role="region" aria-label={t('Statistics by week')}>
          <table className={table['table']}>
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
          </table>
        </div>
      </details>
    </section>
  );
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : formatShare(part / whole));

const Courses = ({ courses }: { courses: AdminNumbers['courses'] }): ReactElement => (
  <section className={table['section']}>
    <h2>{t('Courses')}</h2>
    {courses.length === 0 ? (
      <p className={table['quiet']}>{t('There are no courses yet.')}</p>
    ) : (
      <table className={table['table']}>
        <thead>
          <tr>
            <th>{t('Course')}</th>
            <th className={table['end']}>{t('Practices')}</th>
            <th className={table['end']}>{t('Began')}</th>
            <th className={table['end']}>{t('Finished all')}</th>
            <th className={table['end']}>{t('Share')}</th>
          </tr>
        </thead>
        <tbody>
          {courses.map(({ courseId, title, practices, began, finished }) => (
            <tr key={courseId}>
              <td>
                <bdi>{title}</bdi>
              </td>
              <td className={table['end']}>{practices}</td>
              <td className={table['end']}>{formatNumber(began)}</td>
              <td className={table['end']}>{formatNumber(finished)}</td>
              <td className={table['end']}>{share(finished, began)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

function Conversion({ accounts, withAccess, practised, paying }: AdminNumbers['conversion']): ReactElement {
  const steps = [
    [t('Accounts with an address'), accounts],
    [t('With access'), withAccess],
    [t('Finished a practice'), practised],
    [t('Paying'), paying],
  ] as const;
  return (
    <section className={table['section']}>
      <h2>{t('From account to plan')}</h2>
      <table className={table['table']}>
        <thead>
          <tr>
            <th>{t('Step')}</th>
            <th className={table['end']}>{t('Learners')}</th>
            <th className={table['end']}>{t('Share of all accounts')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(([title, value]) => (
            <tr key={title}>
              <td>{title}</td>
              <td className={table['end']}>{formatNumber(value)}</td>
              <td className={table['end']}>{share(value, accounts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const Cost = ({ cost }: { cost: AdminNumbers['cost'] }): ReactElement => (
  <section className={table['section']}>
    <h2>{t('AI costs by day and model, last 30 days')}</h2>
    {cost.length === 0 ? (
      <p className={table['quiet']}>
        {t('Nothing was charged. Guided practices and models of your own cost nothing.')}
      </p>
    ) : (
      <table className={table['table']}>
        <thead>
          <tr>
            <th>{t('Day')}</th>
            <th>{t('Model')}</th>
            <th className={table['end']}>{t('Requests')}</th>
            <th className={table['end']}>{t('Cost')}</th>
          </tr>
        </thead>
        <tbody>
          {cost.map(({ day, model, calls, costMicros }) => (
            <tr key={`${day} ${model}`}>
              <td>{formatDay(day, 'UTC')}</td>
              <td>{model}</td>
              <td className={table['end']}>{formatNumber(calls)}</td>
              <td className={table['end']}>{formatCost(costMicros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);
