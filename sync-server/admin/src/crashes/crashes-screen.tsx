/** The crash reports that learners agreed to send. */
import { t } from '@parley/i18n';
import { CRASH_RETENTION_DAYS, type CrashRow, type CrashSource } from '@parley/contract';
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn } from '../foundation/list/list.tsx';
import { Moment } from '../foundation/list/moment.tsx';
import { Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';

const SOURCE_NAMES: Record<CrashSource, string> = {
  window: t('The window'),
  host: t('Background process'),
  main: t('Main process'),
};

const kindOf = ({ kind, code }: CrashRow): string => (code === null ? kind : `${kind} (${code})`);
const framesOf = ({ frames }: CrashRow): string => frames.join('\n');

const columns: readonly ListColumn<CrashRow>[] = [
  {
    id: 'receivedAt',
    title: t('Received'),
    sort: 'receivedAt',
    csv: ({ receivedAt }) => csvTime(receivedAt),
    cell: ({ receivedAt }) => <Moment at={receivedAt} />,
  },
  { id: 'kind', title: t('Error'), csv: kindOf, cell: (row) => <code dir="ltr">{kindOf(row)}</code> },
  {
    id: 'source',
    title: t('Where'),
    csv: ({ source }) => SOURCE_NAMES[source],
    cell: ({ source }) => SOURCE_NAMES[source],
  },
  { id: 'version', title: t('Version'), csv: ({ version }) => version, cell: ({ version }) => <bdi>{version}</bdi> },
  { id: 'system', title: t('System'), csv: ({ system }) => system, cell: ({ system }) => <bdi>{system}</bdi> },
  {
    id: 'frames',
    title: t('Stack trace'),
    csv: framesOf,
    cell: (row) =>
      row.frames.length === 0 ? (
        '–'
      ) : (
        <details>
          <summary>
            <code dir="ltr">{row.frames[0]}</code>
          </summary>
          <pre className={table['pre']} tabIndex={0} dir="ltr">
            {framesOf(row)}
          </pre>
        </details>
      ),
  },
];

export function CrashesScreen(): ReactElement {
  return (
    <Screen
      title={t('Crash reports')}
      intro={t(
        'What learners agreed to send after a crash: where in the app’s code it happened. Nothing here says who they are or what they said. Reports are deleted after {days} days. Pass them on to Parley’s developers.',
        { days: CRASH_RETENTION_DAYS },
      )}
    >
      <List<CrashRow>
        name={t('Crash reports')}
        count={(count) => t('{count, plural, one {# report} other {# reports}}', { count })}
        columns={columns}
        rowId={({ id }) => id}
        defaultSort={{ sort: 'receivedAt', direction: 'desc' }}
        queryKey={['crashes']}
        searchLabel={t('Error, version or system')}
        load={({ sort: _only, ...request }) => client.admin.crashes(request)}
        empty={{
          title: t('No crash reports'),
          text: t('They appear here when a learner sends one. The app asks only those who switched that on.'),
        }}
      />
    </Screen>
  );
}
