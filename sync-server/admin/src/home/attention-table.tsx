/** The items that need an admin's decision, as a table. */
import { t } from '@parley/i18n';
import type { AdminOverview, AttentionItem } from '@parley/contract';
import { Button } from '@parley/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { ActionsHeader } from '../foundation/screen/actions-header.tsx';
import { formatAge, formatDay, formatNumber } from '../foundation/screen/format.ts';
import { LongWord } from '../foundation/list/long-word.tsx';
import { nameOfPlan } from '../foundation/screen/plan-names.ts';
import table from '../foundation/screen/table.module.css';
import { WideTable } from '../foundation/screen/wide-table.tsx';
import { grantLabel, requestCount } from './attention.ts';
import { KindCell } from './kind-cell.tsx';
import { ReportRow } from './report-row.tsx';

const nameOf = ({ name, email }: AttentionItem): string => name ?? email ?? t('A learner');

export function Attention({
  items,
  waiting,
}: {
  items: readonly AttentionItem[];
  waiting: AdminOverview['waiting'];
}): ReactElement {
  const requests = items.filter(({ kind }) => kind === 'access');
  const others = items.filter(({ kind }) => kind === 'mail' || kind === 'payment');
  const reports = items.filter(({ kind }) => kind === 'report');
  const posts = items.filter(({ kind }) => kind === 'post');
  const crash = items.find(({ kind }) => kind === 'crash');
  return (
    <WideTable name={t('Needs your attention')}>
      <thead>
        <tr>
          <th>{t('What')}</th>
          <th>{t('Who')}</th>
          <th>{t('Why it’s waiting')}</th>
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
            {item.kind === 'mail' ? (
              <KindCell icon="mail" name={t('Mail')} />
            ) : (
              <KindCell icon="prices" name={t('Payment')} />
            )}
            <td>
              <bdi>
                <b>{nameOf(item)}</b>
              </bdi>
              {item.name !== null && item.email !== null && (
                <div className={table['small']}>
                  <LongWord>{item.email}</LongWord>
                </div>
              )}
            </td>
            <td>{item.kind === 'mail' ? mailTrouble(item) : paymentTrouble(item)}</td>
            <td className={table['quiet']}>{formatAge(item.since)}</td>
            <td className={table['end']}>
              {item.userId === null ? (
                <Link to="/mail" search={{ state: 'undelivered' }}>
                  {t('Open the e-mail log')}
                </Link>
              ) : (
                <Link to="/learners/$userId" params={{ userId: item.userId }}>
                  {t('Open the learner')}
                </Link>
              )}
            </td>
          </tr>
        ))}
        {reports.map((item) => (
          <ReportRow key={item.report?.reportId} item={item} />
        ))}
        {waiting.reports > reports.length && <MoreReportsRow count={waiting.reports - reports.length} />}
        {posts.map((post) => (
          <PostRow key={post.contentId} post={post} />
        ))}
        {crash !== undefined && <CrashRow newest={crash} count={waiting.crashes} />}
      </tbody>
    </WideTable>
  );
}

const mailTrouble = ({ detail }: AttentionItem): string =>
  detail === null ? t('An e-mail wasn’t delivered') : t('An e-mail wasn’t delivered: {reason}', { reason: detail });

function paymentTrouble({ detail, planUntil = null }: AttentionItem): string {
  const plan = detail === null ? t('plan') : nameOfPlan(detail);
  return planUntil === null
    ? t('The last payment failed ({plan}). The plan has stopped.', { plan })
    : t('The last payment failed ({plan}). The plan stays until {day}.', { plan, day: formatDay(planUntil) });
}

const MoreReportsRow = ({ count }: { count: number }): ReactElement => (
  <tr>
    <KindCell icon="reports" name={t('Report')} />
    <td colSpan={3}>{t('{count, plural, one {and # more report} other {and # more reports}}', { count })}</td>
    <td className={table['end']}>
      <Link to="/reports">{t('Show all reports')}</Link>
    </td>
  </tr>
);

const PostRow = ({ post: { contentId = '', name, since } }: { post: AttentionItem }): ReactElement => (
  <tr>
    <KindCell icon="blog" name={t('Post')} />
    <td>
      <bdi>
        <b>{name}</b>
      </bdi>
    </td>
    <td>{t('It couldn’t be published as scheduled.')}</td>
    <td className={table['quiet']}>{formatAge(since)}</td>
    <td className={table['end']}>
      <Link to="/blog/$id" params={{ id: contentId }}>
        {t('Open the post')}
      </Link>
    </td>
  </tr>
);

const CrashRow = ({ newest, count }: { newest: AttentionItem; count: number }): ReactElement => (
  <tr>
    <KindCell icon="crashes" name={t('Crash')} />
    <td>
      <b>{t('{count, plural, one {# report} other {# reports}}', { count })}</b>
      <div className={table['small']}>
        <code dir="ltr">{newest.detail}</code>
      </div>
    </td>
    <td>{t('Learners sent this after the app crashed. Pass it on to Parley’s developers.')}</td>
    <td className={table['quiet']}>{formatAge(newest.since)}</td>
    <td className={table['end']}>
      <Link to="/crashes">{t('Open the reports')}</Link>
    </td>
  </tr>
);

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
      <KindCell icon="learners" name={t('Access')} />
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
      <td>{t('Asked for access')}</td>
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
            title={t('{count, plural, one {Approve this learner?} other {Approve # learners?}}', { count })}
            confirmLabel={grantLabel(count)}
            run={grantAll}
            onClose={() => setAsking(false)}
          >
            <p>{t('Each of them gets an e-mail with a link that signs them in.')}</p>
            {count > MOST_AT_ONCE && (
              <p>
                {t('This approves the first {count}. Do it again for the rest.', { count: formatNumber(MOST_AT_ONCE) })}
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
