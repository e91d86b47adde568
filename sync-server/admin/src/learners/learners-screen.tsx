/** The learners of the school: found, filtered, invited, let in, and their access taken away. */
import type { AdminUsers, AdminUsersRequest } from '@parley/contract';
import { Button } from '@parley/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDay, personName } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import { GrantDialog, RevokeDialog } from './access-dialogs.tsx';

type Learner = AdminUsers['rows'][number];

const columns: readonly ListColumn<Learner>[] = [
  {
    id: 'name',
    title: 'Name',
    sort: 'lastName',
    csv: (row) => [row.firstName, row.lastName].filter(Boolean).join(' '),
    cell: (row) => (
      <Link to="/learners/$userId" params={{ userId: row.userId }}>
        <bdi>{shorten(personName(row))}</bdi>
      </Link>
    ),
  },
  {
    id: 'email',
    title: 'E-mail',
    sort: 'email',
    csv: (row) => row.email ?? '',
    cell: (row) => <bdi>{row.email ?? '–'}</bdi>,
  },
  { id: 'access', title: 'Access', csv: accessOf, cell: accessOf },
  {
    id: 'lastLoginAt',
    title: 'Last sign-in',
    sort: 'lastLoginAt',
    csv: (row) => row.lastLoginAt ?? '',
    cell: (row) => (row.lastLoginAt === null ? 'never' : formatDay(row.lastLoginAt)),
  },
  {
    id: 'createdAt',
    title: 'Account since',
    sort: 'createdAt',
    csv: (row) => row.createdAt,
    cell: (row) => formatDay(row.createdAt),
  },
];

const MAX_NAME = 120;
const shorten = (name: string): string => (name.length > MAX_NAME ? `${[...name].slice(0, MAX_NAME).join('')}…` : name);

function accessOf({ hasAccess, accessDate, waitingSince, isAdmin }: Learner): string {
  if (isAdmin) return 'Admin';
  if (hasAccess) return 'Has access';
  if (waitingSince !== null) return `Asked on ${formatDay(waitingSince)}`;
  return accessDate === null ? 'No access' : 'Access taken away';
}

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: 'Show',
    options: [
      { value: 'all', label: 'All learners' },
      { value: 'waiting', label: 'Waiting for access' },
      { value: 'with_access', label: 'With access' },
      { value: 'without_access', label: 'Without access' },
      { value: 'admins', label: 'Admins' },
    ],
  },
];

export function LearnersScreen(): ReactElement {
  const navigate = useNavigate();
  return (
    <Screen
      title="Learners"
      action={<Button onPress={() => void navigate({ to: '/learners/invite' })}>Invite learners</Button>}
    >
      <List<Learner>
        name="Learners"
        noun={['learner', 'learners']}
        columns={columns}
        rowId={({ userId }) => userId}
        rowName={personName}
        defaultSort={{ sort: 'createdAt', direction: 'desc' }}
        queryKey={['learners']}
        filters={FILTERS}
        searchLabel="Name or address"
        load={(request, { only }) =>
          client.admin.users({
            ...request,
            sort: request.sort as AdminUsersRequest['sort'],
            ...(only === undefined ? {} : { only: only as NonNullable<AdminUsersRequest['only']> }),
          })
        }
        renderBulkActions={(rows, clear) => <BulkActions learners={rows} onDone={clear} />}
        empty={{ title: 'No learners yet', text: 'Invite the first ones by their e-mail addresses.' }}
      />
    </Screen>
  );
}

function BulkActions({ learners, onDone }: { learners: readonly Learner[]; onDone: () => void }): ReactElement {
  const [open, setOpen] = useState<'grant' | 'revoke' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <Button variant="primary" onPress={() => setOpen('grant')}>
        Let in
      </Button>
      <Button onPress={() => setOpen('revoke')}>Take access away</Button>
      {open === 'grant' && <GrantDialog learners={learners} onClose={close} onDone={onDone} />}
      {open === 'revoke' && <RevokeDialog learners={learners} onClose={close} onDone={onDone} />}
    </>
  );
}
