/** How much is practised, how well, whether courses are finished, and what it costs: each plot with its table. */
import type { AdminNumbers, Week } from '@parley/contract';
import { SegmentedControl } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { formatCost, formatDay, formatNumber, formatScore } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WeekPlot } from './week-plot.tsx';

const PERIODS = [
  { value: '4', label: '4 weeks' },
  { value: '12', label: '12 weeks' },
  { value: '52', label: 'A year' },
] as const;
const WEEKS = { '4': 4, '12': 12, '52': 52 } as const;

export function NumbersScreen(): ReactElement {
  const { weeks = '12' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const numbers = useQuery(api.admin.numbers.queryOptions({ input: { weeks: WEEKS[weeks] } }));
  return (
    <Screen
      title="Numbers"
      intro="Counts and means only. What a learner said stays with the learner."
      action={
        <SegmentedControl
          label="Period"
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
      <h2>By week</h2>
      {plot('Learners who spoke', ({ learners }) => learners, count)}
      {plot('Practices finished', ({ practices }) => practices, count)}
      {plot('Minutes of talking', ({ minutes }) => minutes, count)}
      {plot('Median score', ({ score }) => score, formatScore, 100)}
      <details>
        <summary>The same as a table</summary>
        <div className={table['scroll']} tabIndex={0} role="region" aria-label="Numbers by week">
          <table className={table['table']}>
            <thead>
              <tr>
                <th>Week from</th>
                <th className={table['end']}>Learners</th>
                <th className={table['end']}>Practices</th>
                <th className={table['end']}>Minutes</th>
                <th className={table['end']}>Median score</th>
                <th className={table['end']}>Cost of AI</th>
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

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`);

const Courses = ({ courses }: { courses: AdminNumbers['courses'] }): ReactElement => (
  <section className={table['section']}>
    <h2>Courses</h2>
    {courses.length === 0 ? (
      <p className={table['quiet']}>There are no courses yet.</p>
    ) : (
      <table className={table['table']}>
        <thead>
          <tr>
            <th>Course</th>
            <th className={table['end']}>Practices</th>
            <th className={table['end']}>Began</th>
            <th className={table['end']}>Finished all</th>
            <th className={table['end']}>Share</th>
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
    ['Accounts with an address', accounts],
    ['With access', withAccess],
    ['Finished a practice', practised],
    ['Paying', paying],
  ] as const;
  return (
    <section className={table['section']}>
      <h2>From account to plan</h2>
      <table className={table['table']}>
        <thead>
          <tr>
            <th>Step</th>
            <th className={table['end']}>Learners</th>
            <th className={table['end']}>Of all accounts</th>
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
    <h2>Cost of AI by day and model, 30 days</h2>
    {cost.length === 0 ? (
      <p className={table['quiet']}>Nothing was charged. Guided practices and models of your own cost nothing.</p>
    ) : (
      <table className={table['table']}>
        <thead>
          <tr>
            <th>Day</th>
            <th>Model</th>
            <th className={table['end']}>Calls</th>
            <th className={table['end']}>Cost</th>
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
