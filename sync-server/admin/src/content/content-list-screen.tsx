/** The list of one kind of content. */
import { t } from '@parley/i18n';
import type { ContentSummary } from '@parley/contract';
import { type ContentKind, emptyDocument } from '@parley/domain';
import { Button, Trans } from '@parley/ui';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { useSingleMutation } from '../foundation/api/use-single-mutation.ts';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDay } from '../foundation/screen/format.ts';
import { ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import { kindAt, KINDS, stateName } from './kinds.ts';
import { DraftDialog } from './practice/draft-dialog.tsx';
import { ImportDialog } from './packs/import-dialog.tsx';
import { packExportUrl } from './packs/pack-client.ts';

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: t('Show'),
    options: [
      { value: 'all', label: t('All except deleted') },
      { value: 'published', label: t('Published') },
      { value: 'changed', label: t('Not published yet') },
      { value: 'withdrawn', label: t('Withdrawn') },
      { value: 'deleted', label: t('Deleted') },
    ],
  },
];

function TitleCell({ row: { kind, id, title } }: { row: ContentSummary }): ReactElement {
  const address: string = `${KINDS[kind].path}/${id}`;
  return (
    <Link to={address}>
      <bdi>{title === '' ? KINDS[kind].untitled : title}</bdi>
    </Link>
  );
}

const EditedCell = ({ row: { editedAt, editedBy } }: { row: ContentSummary }): ReactElement => (
  <>
    {editedBy === null ? (
      formatDay(editedAt)
    ) : (
      <Trans
        id="{day} by <0>{name}</0>"
        values={{ day: formatDay(editedAt), name: editedBy }}
        components={{ 0: <bdi /> }}
      />
    )}
  </>
);

const stateParts = (row: ContentSummary): string[] => [stateName(row), ...(row.isComingSoon ? [t('coming soon')] : [])];

const columns: readonly ListColumn<ContentSummary>[] = [
  { id: 'title', title: t('Title'), sort: 'title', csv: (row) => row.title, cell: (row) => <TitleCell row={row} /> },
  {
    id: 'state',
    title: t('State'),
    csv: (row) => stateParts(row).join(' · '),
    cell: (row) => [...stateParts(row), ...(row.hasStarterUpdate ? [t('an update is available')] : [])].join(' · '),
  },
  {
    id: 'editedAt',
    title: t('Edited'),
    sort: 'editedAt',
    csv: (row) => csvTime(row.editedAt),
    cell: (row) => <EditedCell row={row} />,
  },
];

type Only = 'published' | 'changed' | 'withdrawn' | 'deleted';

export function ContentListScreen(): ReactElement {
  const kind = useLocation({ select: ({ pathname }) => kindAt(pathname) });
  return <ContentList key={kind} kind={kind} />;
}

function ContentList({ kind }: { kind: ContentKind }): ReactElement {
  const names = KINDS[kind];
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'import' | 'draft' | null>(null);
  const open = (id: string): void => void navigate({ to: `${names.path}/${id}` });
  const create = useSingleMutation({
    mutationFn: () => client.content.create({ kind, id: crypto.randomUUID(), document: emptyDocument(kind) }),
    onSuccess: ({ id }) => open(id),
  });
  return (
    <Screen
      title={names.plural}
      intro={names.intro}
      action={
        <>
          {kind === 'course' && (
            <>
              <Button onPress={() => setDialog('import')}>{t('Import')}</Button>
              <Button onPress={() => globalThis.location.assign(packExportUrl())}>{t('Export everything')}</Button>
            </>
          )}
          {kind === 'practice' && <Button onPress={() => setDialog('draft')}>{t('Draft a practice…')}</Button>}
          <Button variant="primary" onPress={() => create.mutate()} isDisabled={create.isPending}>
            {names.create}
          </Button>
        </>
      }
    >
      {create.isError && <ErrorBanner error={create.error} />}
      <List<ContentSummary>
        name={names.plural}
        count={names.count}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        defaultSort={{ sort: 'title', direction: 'asc' }}
        queryKey={['content', kind]}
        filters={FILTERS}
        searchLabel={t('Title')}
        load={({ sort, ...request }, { only }) =>
          client.content.list({
            kind,
            ...request,
            sort: sort === 'editedAt' ? 'editedAt' : 'title',
            ...(only === undefined ? {} : { only: only as Only }),
          })
        }
        empty={{ title: names.none }}
      />
      {dialog === 'import' && <ImportDialog onClose={() => setDialog(null)} />}
      {dialog === 'draft' && <DraftDialog onClose={() => setDialog(null)} onDrafted={open} />}
    </Screen>
  );
}
