/** Learners' reports of practices. */
import { t } from '@parley/i18n';
import {
  CLOSED_REPORT_RETENTION_DAYS,
  MAX_LIST_PAGE_SIZE,
  type PracticeReportRow,
  type PracticeReportsRequest,
} from '@parley/contract';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { Moment } from '../foundation/list/moment.tsx';
import { formatDateTime } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';

const practiceOf = ({ title }: PracticeReportRow): string => title ?? t('A practice');
const closedOf = ({ closedAt }: PracticeReportRow): string => (closedAt === null ? '' : formatDateTime(closedAt));

const columns: readonly ListColumn<PracticeReportRow>[] = [
  {
    id: 'receivedAt',
    title: t('Received'),
    sort: 'receivedAt',
    csv: ({ receivedAt }) => csvTime(receivedAt),
    cell: ({ receivedAt }) => <Moment at={receivedAt} />,
  },
  {
    id: 'practice',
    title: t('Practice'),
    csv: practiceOf,
    cell: (row) => (
      <Link
        to="/practices/$id"
        params={{ id: row.practiceId }}
        search={{ part: 'dialogue', ...(row.node === null ? {} : { step: row.node }) }}
      >
        <bdi>{practiceOf(row)}</bdi>
      </Link>
    ),
  },
  {
    id: 'line',
    title: t('The coach’s line'),
    csv: ({ line }) => line ?? '',
    cell: ({ line }) =>
      line === null ? (
        '–'
      ) : (
        <span lang="en" dir="ltr">
          {line}
        </span>
      ),
  },
  {
    id: 'text',
    title: t('What the learner wrote'),
    csv: ({ text }) => text,
    cell: ({ text }) => <span dir="auto">{text}</span>,
  },
  { id: 'closedAt', title: t('Closed'), csv: ({ closedAt }) => csvTime(closedAt), cell: (row) => closedOf(row) || '–' },
];

const FILTERS: readonly ListFilter[] = [
  {
    id: 'state',
    label: t('Show'),
    options: [
      { value: 'open', label: t('Open reports') },
      { value: 'closed', label: t('Closed reports') },
    ],
  },
];

export function ReportsScreen(): ReactElement {
  const [isClosingAll, setClosingAll] = useState(false);
  const { data: overview } = useQuery(api.admin.overview.queryOptions({ input: {} }));
  const hasOpen = overview !== undefined && overview.waiting.reports > 0;
  return (
    <Screen
      title={t('Reported practices')}
      intro={t(
        'What learners reported about practices, without their names. A report is deleted {days} days after it was closed.',
        { days: CLOSED_REPORT_RETENTION_DAYS },
      )}
      action={hasOpen && <Button onPress={() => setClosingAll(true)}>{t('Close all reports…')}</Button>}
    >
      <List<PracticeReportRow>
        name={t('Reported practices')}
        count={(count) => t('{count, plural, one {# report} other {# reports}}', { count })}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ text }) => text}
        defaultSort={{ sort: 'receivedAt', direction: 'asc' }}
        queryKey={['practice-reports']}
        filters={FILTERS}
        searchLabel={t('Words of the report')}
        load={({ sort: _only, ...request }, { state }) =>
          client.admin.practiceReports({
            ...request,
            ...(state === undefined ? {} : { state: state as PracticeReportsRequest['state'] }),
          })
        }
        selectedCount={(count) => t('{count, plural, one {# report selected} other {# reports selected}}', { count })}
        renderBulkActions={(rows, clear) => <CloseSelected reports={rows} onDone={clear} />}
        empty={{ title: t('No reports'), text: t('They appear here when a learner reports a practice.') }}
      />
      {isClosingAll && (
        <ActionDialog
          title={t('Close all reports?')}
          confirmLabel={t('Close all reports')}
          run={closeAll}
          onClose={() => setClosingAll(false)}
        >
          <WhatClosingDoes />
        </ActionDialog>
      )}
    </Screen>
  );
}

function CloseSelected({
  reports,
  onDone,
}: {
  reports: readonly PracticeReportRow[];
  onDone: () => void;
}): ReactElement {
  const [isClosing, setClosing] = useState(false);
  const open = reports.filter(({ closedAt }) => closedAt === null);
  const count = open.length;
  return (
    <>
      <Button isDisabled={count === 0} onPress={() => setClosing(true)}>
        {t('Close')}
      </Button>
      {isClosing && (
        <ActionDialog
          title={t('{count, plural, one {Close this report?} other {Close # reports?}}', { count })}
          confirmLabel={t('{count, plural, one {Close the report} other {Close # reports}}', { count })}
          run={() => close(open)}
          onClose={() => setClosing(false)}
          onDone={onDone}
        >
          <WhatClosingDoes />
        </ActionDialog>
      )}
    </>
  );
}

const WhatClosingDoes = (): ReactElement => (
  <p>
    {t('Closed reports leave this list and are deleted after {count} days. The learners aren’t told.', {
      count: CLOSED_REPORT_RETENTION_DAYS,
    })}
  </p>
);

/** A selection may span many pages. */
async function close(reports: readonly PracticeReportRow[]): Promise<void> {
  for (let from = 0; from < reports.length; from += MAX_LIST_PAGE_SIZE)
    await client.admin.closePracticeReports({
      reportIds: reports.slice(from, from + MAX_LIST_PAGE_SIZE).map(({ id }) => id),
    });
}

/** Does not wait for reports that arrive in the meantime. */
async function closeAll(): Promise<void> {
  const { total } = await client.admin.practiceReports({ pageSize: 1 });
  for (let left = total; left > 0; left -= MAX_LIST_PAGE_SIZE) {
    const { rows } = await client.admin.practiceReports({ pageSize: Math.min(left, MAX_LIST_PAGE_SIZE) });
    await close(rows);
  }
}
