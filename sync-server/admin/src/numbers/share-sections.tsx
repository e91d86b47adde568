/** Course completion, the share of accounts that end in a plan, and AI cost by day and model. */
import { t } from '@parley/i18n';
import type { AdminNumbers } from '@parley/contract';
import type { ReactElement } from 'react';
import { formatCost, formatDay, formatNumber, formatShare } from '../foundation/screen/format.ts';
import table from '../foundation/screen/table.module.css';
import { type Share, ShareBars } from './share-bars.tsx';
import { sumByModel } from './sum-by-model.ts';
import { TableBehind } from './table-behind.tsx';
import { WeekPlot } from './week-plot.tsx';

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const writeShare = (share: number | null): string => (share === null ? '–' : formatShare(share));

/** For example `3 of 12 · 25%`. */
function partOf(part: number, whole: number): Pick<Share, 'share' | 'text'> {
  const share = shareOf(part, whole);
  const counts = t('{done} of {total}', { done: formatNumber(part), total: formatNumber(whole) });
  return { share, text: share === null ? '–' : `${counts} · ${formatShare(share)}` };
}

export const Courses = ({ courses }: { courses: AdminNumbers['courses'] }): ReactElement => (
  <section className={table['section']}>
    <h2>{t('Courses')}</h2>
    {courses.length === 0 ? (
      <p className={table['quiet']}>{t('There are no courses yet.')}</p>
    ) : (
      <>
        <p className={table['quiet']}>
          {t('Of the learners who started the course, those who finished all its practices.')}
        </p>
        <ShareBars
          label={t('Courses')}
          shares={courses.map(({ courseId, title, began, finished }) => ({
            key: courseId,
            title,
            ...partOf(finished, began),
          }))}
        />
        <TableBehind name={t('Courses')}>
          <thead>
            <tr>
              <th>{t('Course')}</th>
              <th className={table['end']}>{t('Practices')}</th>
              <th className={table['end']}>{t('Started')}</th>
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
                <td className={table['end']}>{writeShare(shareOf(finished, began))}</td>
              </tr>
            ))}
          </tbody>
        </TableBehind>
      </>
    )}
  </section>
);

export function Conversion({ accounts, withAccess, practised, paying }: AdminNumbers['conversion']): ReactElement {
  const steps = [
    [t('Accounts with an address'), accounts],
    [t('With access'), withAccess],
    [t('Finished a practice'), practised],
    [t('On a paid plan'), paying],
  ] as const;
  return (
    <section className={table['section']}>
      <h2>{t('From account to plan')}</h2>
      <ShareBars
        label={t('From account to plan')}
        shares={steps.map(([title, value]) => {
          const share = shareOf(value, accounts);
          return { key: title, title, share, text: `${formatNumber(value)} · ${writeShare(share)}` };
        })}
      />
      <TableBehind name={t('From account to plan')}>
        <thead>
          <tr>
            <th>{t('Step')}</th>
            <th className={table['end']}>{t('Learners')}</th>
            <th className={table['end']}>{t('Share of accounts')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(([title, value]) => (
            <tr key={title}>
              <td>{title}</td>
              <td className={table['end']}>{formatNumber(value)}</td>
              <td className={table['end']}>{writeShare(shareOf(value, accounts))}</td>
            </tr>
          ))}
        </tbody>
      </TableBehind>
    </section>
  );
}

export function Cost({ cost, costByDay }: Pick<AdminNumbers, 'cost' | 'costByDay'>): ReactElement {
  const models = sumByModel(cost);
  const total = models.reduce((sum, { costMicros }) => sum + costMicros, 0);
  return (
    <section className={table['section']}>
      <h2>{t('AI costs by day and model, last 30 days')}</h2>
      {cost.length === 0 ? (
        <p className={table['quiet']}>{t('No charges. Guided practices and self-hosted models are free.')}</p>
      ) : (
        <>
          <WeekPlot
            title={t('Cost of AI')}
            unit="day"
            points={costByDay.map(({ day, costMicros }) => ({
              start: day,
              value: costMicros,
              text: formatCost(costMicros),
            }))}
          />
          <ShareBars
            label={t('Cost by model')}
            shares={models.map(({ model, costMicros }) => {
              const share = shareOf(costMicros, total);
              return { key: model, title: model, share, text: `${formatCost(costMicros)} · ${writeShare(share)}` };
            })}
          />
          <TableBehind name={t('AI costs by day and model, last 30 days')}>
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
          </TableBehind>
        </>
      )}
    </section>
  );
}
