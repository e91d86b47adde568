/** What waits for a decision, and the numbers of the last eight weeks. */
import type { AdminHome, AdminOverview, AttentionItem, Week } from '@parley/contract';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { formatAge, formatCost, formatNumber, formatScore } from '../foundation/screen/format.ts';
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
          action={<Button onPress={() => void navigate({ to: '/learners/invite' })}>Invite learners</Button>}
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
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone });
  const spoke = weeks.at(-1)?.learners ?? 0;
  const people = `${formatNumber(learners)} ${learners === 1 ? 'learner' : 'learners'}`;
  const speakers = spoke === 0 ? 'none of them has spoken this week' : `${formatNumber(spoke)} spoke this week`;
  return `${day.format(new Date())}. ${people}, ${speakers}.`;
}

const nameOf = ({ name, email }: AttentionItem): string => name ?? email ?? 'A learner';

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
    <div className={table['scroll']} tabIndex={0} role="region" aria-label="What needs you">
      <table className={table['table']}>
        <thead>
          <tr>
            <th>What</th>
            <th>Who</th>
            <th>Why it waits</th>
            <th>Since</th>
            <th className={table['end']}>
              <span className={table['hidden']}>What you can do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {requests[0] !== undefined && (
            <AccessRow requests={requests} since={requests[0].since} count={waiting.access} />
          )}
          {others.map((item) => (
            <tr key={`${item.kind} ${item.since} ${item.email}`}>
              <td>{item.kind === 'mail' ? 'Mail' : 'Payment'}</td>
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
                  ? `A message was not delivered${item.detail === null ? '' : `: ${item.detail}`}`
                  : `The last payment failed (${item.detail ?? 'plan'}). The plan stays for seven days.`}
              </td>
              <td className={table['quiet']}>{formatAge(item.since)}</td>
              <td className={table['end']}>
                {item.userId === null ? (
                  <Link to="/mail" search={{ state: 'undelivered' }}>
                    Open the mail log
                  </Link>
                ) : (
                  <Link to="/learners/$userId" params={{ userId: item.userId }}>
                    Open the learner
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
      <td>Access</td>
      <td>
        <b>{requestCount(count)}</b>
        <div className={table['small']}>
          {requests.map((request, index) => (
            <span key={request.userId}>
              {index > 0 && ', '}
              <bdi>{shorten(nameOf(request))}</bdi>
            </span>
          ))}
          {rest > 0 && ` and ${rest} more`}
        </div>
      </td>
      <td>They asked to be let in</td>
      <td className={table['quiet']}>{formatAge(since)}</td>
      <td className={table['end']}>
        <span className={table['buttons']}>
          <Button onPress={() => void navigate({ to: '/learners', search: { only: 'waiting' } })}>Review</Button>
          <Button variant="primary" onPress={() => setAsking(true)}>
            {grantLabel(count)}
          </Button>
        </span>
        {isAsking && (
          <ActionDialog
            title={count === 1 ? 'Let this learner in?' : `Let ${count} learners in?`}
            confirmLabel={grantLabel(count)}
            run={grantAll}
            onClose={() => setAsking(false)}
          >
            <p>Each of them gets an e-mail with a link that signs them in.</p>
            {count > MOST_AT_ONCE && <p>This lets in the first {MOST_AT_ONCE}. Repeat it for the others.</p>}
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
  { title: 'Learners who spoke', of: ({ learners }) => learners, write: count },
  { title: 'Practices finished', of: ({ practices }) => practices, write: count },
  { title: 'Minutes of talking', of: ({ minutes }) => minutes, write: count },
  { title: 'Median score', of: ({ score }) => score, write: formatScore, max: 100 },
  { title: 'Cost of AI', of: ({ costMicros }) => costMicros, write: (value) => formatCost(value ?? 0) },
];

function ThisWeek({ weeks }: { weeks: readonly Week[] }): ReactElement {
  const now = weeks.at(-1);
  const before = weeks.at(-2);
  return (
    <section className={table['section']}>
      <div className={table['heading']}>
        <h2>This week</h2>
        <Link to="/numbers">All numbers</Link>
      </div>
      <table className={table['table']}>
        <thead>
          <tr>
            <th>Measure</th>
            <th>This week</th>
            <th>Last week</th>
            <th className={table['end']}>Eight weeks</th>
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
                    label={`${title} in eight weeks: ${values.map(write).join(', ')}`}
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
