/** The list of one kind of content. */
import type { ContentSummary } from '@parley/contract';
import { type ContentKind, emptyDocument } from '@parley/domain';
import { Button } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDay } from '../foundation/screen/format.ts';
import { ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import { kindAt, KINDS, stateName } from './kinds.ts';
import { DraftDialog } from './practice/draft-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { packExportUrl } from './pack-client.ts';

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: 'Show',
    options: [
      { value: 'all', label: 'All but deleted' },
      { value: 'published', label: 'Published' },
      { value: 'changed', label: 'Not published yet' },
      { value: 'withdrawn', label: 'Withdrawn' },
      { value: 'deleted', label: 'Deleted' },
    ],
  },
];

function TitleCell({ row: { kind, id, title } }: { row: ContentSummary }): ReactElement {
  const address: string = `${KINDS[kind].path}/${id}`;
  return (
    <Link to={address}>
      <bdi>{title === '' ? `Untitled ${KINDS[kind].one}` : title}</bdi>
    </Link>
  );
}

const EditedCell = ({ row: { editedAt, editedBy } }: { row: ContentSummary }): ReactElement => (
  <>
    {formatDay(editedAt)}
    {editedBy !== null && (
      <>
        {' '}
        by <bdi>{editedBy}</bdi>
      </>
    )}
  </>
);

const columns: readonly ListColumn<ContentSummary>[] = [
  { id: 'title', title: 'Title', sort: 'title', csv: (row) => row.title, cell: (row) => <TitleCell row={row} /> },
  {
    id: 'state',
    title: 'State',
    csv: stateName,
    cell: (row) => (row.hasStarterUpdate ? `${stateName(row)} · an update is available` : stateName(row)),
  },
  {
    id: 'editedAt',
    title: 'Edited',
    sort: 'editedAt',
    csv: (row) => row.editedAt,
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
  const create = useMutation({
    mutationFn: () => client.content.create({ kind, id: crypto.randomUUID(), document: emptyDocument(kind) }),
    onSuccess: ({ id }) => open(id),
  });
  return (
    <Screen
      title={names.plural}
      intro={names.empty}
      action={
        <>
          {kind === 'course' && (
            <>
              <Button onPress={() => setDialog('import')}>Import</Button>
              <Button onPress={() => globalThis.location.assign(packExportUrl())}>Export everything</Button>
            </>
          )}
          {kind === 'practice' && <Button onPress={() => setDialog('draft')}>Draft it …</Button>}
          <Button variant="primary" onPress={() => create.mutate()} isDisabled={create.isPending}>
            New {names.one}
          </Button>
        </>
      }
    >
      {create.isError && <ErrorBanner error={create.error} />}
      <List<ContentSummary>
        name={names.plural}
        noun={[names.one, kind === 'post' ? 'posts' : names.plural.toLowerCase()]}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        defaultSort={{ sort: 'title', direction: 'asc' }}
        queryKey={['content', kind]}
        filters={FILTERS}
        searchLabel="Title"
        load={({ sort, ...request }, { only }) =>
          client.content.list({
            kind,
            ...request,
            sort: sort === 'editedAt' ? 'editedAt' : 'title',
            ...(only === undefined ? {} : { only: only as Only }),
          })
        }
        empty={{ title: `No ${names.plural.toLowerCase()} yet`, text: names.empty }}
      />
      {dialog === 'import' && <ImportDialog onClose={() => setDialog(null)} />}
      {dialog === 'draft' && <DraftDialog onClose={() => setDialog(null)} onDrafted={open} />}
    </Screen>
  );
}
