/** What waits for a decision, and the numbers of the last eight weeks. */
import { formatLocale, t } from '@parley/i18n';
import type { AdminHome, AdminOverview, AttentionItem, Week } from '@parley/contract';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { ActionsHeader } from '../foundation/screen/actions-header.tsx';
import { formatAge, formatCost, formatList, formatNumber, formatScore } from '../foundation/screen/format.ts';
import { Bars } from '../foundation/screen/plot.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { grantLabel, homeTitle, requestCount } from './attention.ts';

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
  const day = new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', day: 'numeric', month: 'long', timeZone });
  return t(
    '{day}. {learners, plural, one {# learner} other {# learners}}, {spoke, plural, =0 {none of them has spoken this week} one {# spoke this week} other {# spoke this week}}.',
    { day: day.format(new Date()), learners, spoke: weeks.at(-1)?.learners ?? 0 },
  );
}

const nameOf = ({ name, email }: AttentionItem): string => name ?? email ?? t('A learner');

function Attention({
  items,
  waiting,
}: {
  items: readonly AttentionItem[];
  waiting: AdminOverview['waiting'];
}): ReactElement {
  const requests = items.filter(({ kind }) => kind === 'access');
  const others = items.filter(({ kind }) => kind !== 'access');
  return (
    <div className={table['scroll']} tabIndex={0} role="region" aria-label={t('What needs you')}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th>{t('What')}</th>
            <th>{t('Who')}</th>
            <th>{t('Why it waits')}</th>
            <th>{t('Since')}</th>
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {requests[0] !== undefined && (
            <AccessRow requests={requests} since={requests[0].since} count={waiting.access} />
          )}
          {others.map((item) => (
            <tr key={`${item.kind} ${item.since} ${item.email}`}>
              <td>{item.kind === 'mail' ? t('Mail') : t('Payment')}</td>
              <td>
                <bdi>
                  <b>{nameOf(item)}</b>
                </bdi>
                {item.name !== null && item.email !== null && (
                  <div className={table['small']}>
                    <bdi>{item.email}</bdi>
                  </div>
                )}
              </td>
              <td>
                {item.kind === 'mail'
                  ? item.detail === null
                    ? t('A message was not delivered')
                    : t('A message was not delivered: {reason}', { reason: item.detail })
                  : t('The last payment failed ({plan}). The plan stays for seven days.', {
                      plan: item.detail ?? t('plan'),
                    })}
              </td>
              <td className={table['quiet']}>{formatAge(item.since)}</td>
              <td className={table['end']}>
                {item.userId === null ? (
                  <Link to="/mail" search={{ state: 'undelivered' }}>
                    {t('Open the mail log')}
                  </Link>
                ) : (
                  <Link to="/learners/$userId" params={{ userId: item.userId }}>
                    {t('Open the learner')}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MOST_AT_ONCE = 500;

function AccessRow({
  requests,
  since,
  count,
}: {
  requests: readonly AttentionItem[];
  since: string;
  count: number;
}): ReactElement {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const grantAll = async (): Promise<void> => {
    const { rows } = await client.admin.users({ only: 'waiting', pageSize: MOST_AT_ONCE });
    if (rows.length > 0) await client.admin.grantAccessToMany({ userIds: rows.map(({ userId }) => userId) });
  };
  const rest = count - requests.length;
  return (
    <tr>
      <td>{t('Access')}</td>
      <td>
        <b>{requestCount(count)}</b>
        <div className={table['small']}>
          {requests.map((request, index) => (
            <span key={request.userId}>
              {index > 0 && ', '}
              <bdi>{shorten(nameOf(request))}</bdi>
            </span>
          ))}
          {rest > 0 && ` ${t('{count, plural, one {and # more} other {and # more}}', { count: rest })}`}
        </div>
      </td>
      <td>{t('They asked to be let in')}</td>
      <td className={table['quiet']}>{formatAge(since)}</td>
      <td className={table['end']}>
        <span className={table['buttons']}>
          <Button onPress={() => void navigate({ to: '/learners', search: { only: 'waiting' } })}>
            {t('Review the requests')}
          </Button>
          <Button variant="primary" onPress={() => setAsking(true)}>
            {grantLabel(count)}
          </Button>
        </span>
        {isAsking && (
          <ActionDialog
            title={t('{count, plural, one {Let this learner in?} other {Let # learners in?}}', { count })}
            confirmLabel={grantLabel(count)}
            run={grantAll}
            onClose={() => setAsking(false)}
          >
            <p>{t('Each of them gets an e-mail with a link that signs them in.')}</p>
            {count > MOST_AT_ONCE && (
              <p>
                {t('This lets in the first {count}. Repeat it for the others.', { count: formatNumber(MOST_AT_ONCE) })}
              </p>
            )}
          </ActionDialog>
        )}
      </td>
    </tr>
  );
}

const MAX_NAME = 60;
const shorten = (name: string): string => (name.length > MAX_NAME ? `${[...name].slice(0, MAX_NAME).join('')}…` : name);

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
        <Link to="/numbers">{t('All numbers')}</Link>
      </div>
      <table className={table['table']}>
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
      </table>
    </section>
  );
}
