/** The items that need a decision, and the numbers of the last eight weeks. */
import { capitalise, formatList, formatLocale, t } from '@parley/i18n';
import type { AdminHome, Week } from '@parley/contract';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { formatCost, formatNumber, formatScore } from '../foundation/screen/format.ts';
import { Bars } from '../foundation/screen/plot.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WrittenMailBanner } from '../foundation/screen/written-mail-banner.tsx';
import { WideTable } from '../foundation/screen/wide-table.tsx';
import { homeTitle } from './attention.ts';
import { Attention } from './attention-table.tsx';

export function HomeScreen(): ReactElement {
  const overview = useQuery(api.admin.overview.queryOptions({ input: {} }));
  const home = useQuery(api.admin.home.queryOptions({ input: {} }));
  const navigate = useNavigate();
  return (
    <QueryView query={overview}>
      {({ waiting, school }) => (
        <Screen
          title={homeTitle(waiting)}
          intro={home.data === undefined ? '' : introFor(home.data, school.timeZone)}
          action={<Button onPress={() => void navigate({ to: '/learners/invite' })}>{t('Invite learners')}</Button>}
        >
          <WrittenMailBanner action={<Link to="/mail">{t('Open the e-mail log')}</Link>} />
          <QueryView query={home}>
            {(data) => (
              <>
                {data.attention.length > 0 && <Attention items={data.attention} waiting={waiting} />}
                <ThisWeek weeks={data.weeks} />
              </>
            )}
          </QueryView>
        </Screen>
      )}
    </QueryView>
  );
}

function introFor({ learners, weeks }: AdminHome, timeZone: string): string {
  const locale = formatLocale();
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone });
  return t(
    '{day}. {learners, plural, one {# learner} other {# learners}}, {spoke, plural, =0 {nobody has spoken this week} one {# spoke this week} other {# spoke this week}}.',
    { day: capitalise(day.format(new Date()), locale), learners, spoke: weeks.at(-1)?.learners ?? 0 },
  );
}

interface Measure {
  title: string;
  of: (week: Week) => number | null;
  write: (value: number | null) => string;
  max?: number;
}

const count = (value: number | null): string => (value === null ? '–' : formatNumber(value));
const MEASURES: readonly Measure[] = [
  { title: t('Learners who spoke'), of: ({ learners }) => learners, write: count },
  { title: t('Practices finished'), of: ({ practices }) => practices, write: count },
  { title: t('Minutes of talking'), of: ({ minutes }) => minutes, write: count },
  { title: t('Median score'), of: ({ score }) => score, write: formatScore, max: 100 },
  { title: t('Cost of AI'), of: ({ costMicros }) => costMicros, write: (value) => formatCost(value ?? 0) },
];

function ThisWeek({ weeks }: { weeks: readonly Week[] }): ReactElement {
  const now = weeks.at(-1);
  const before = weeks.at(-2);
  return (
    <section className={table['section']}>
      <div className={table['heading']}>
        <h2>{t('This week')}</h2>
        <Link to="/numbers">{t('All statistics')}</Link>
      </div>
      <WideTable name={t('This week')}>
        <thead>
          <tr>
            <th>{t('Measure')}</th>
            <th>{t('This week')}</th>
            <th>{t('Last week')}</th>
            <th className={table['end']}>{t('Eight weeks')}</th>
          </tr>
        </thead>
        <tbody>
          {MEASURES.map(({ title, of, write, max }) => {
            const values = weeks.map(of);
            return (
              <tr key={title}>
                <td>{title}</td>
                <td>
                  <b>{write(now === undefined ? null : of(now))}</b>
                </td>
                <td className={table['quiet']}>{write(before === undefined ? null : of(before))}</td>
                <td className={table['end']}>
                  <Bars
                    label={t('{title} in eight weeks: {values}', { title, values: formatList(values.map(write)) })}
                    values={values}
                    {...(max === undefined ? {} : { max })}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </WideTable>
    </section>
  );
}
