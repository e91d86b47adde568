/** The learners of the school: finding, filtering, inviting and approving them, and revoking their access. */
import { t } from '@parley/i18n';
import type { AdminUsers, AdminUsersRequest } from '@parley/contract';
import { fullName } from '@parley/domain';
import { Button } from '@parley/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDay, personName } from '../foundation/screen/format.ts';
import { LongWord } from '../foundation/list/long-word.tsx';
import { Screen } from '../foundation/screen/screen.tsx';
import { GrantDialog, RevokeDialog } from './access-dialogs.tsx';

type Learner = AdminUsers['rows'][number];

const columns: readonly ListColumn<Learner>[] = [
  {
    id: 'name',
    title: t('Name'),
    sort: 'lastName',
    csv: (row) => fullName(row) ?? '',
    cell: (row) => (
      <Link to="/learners/$userId" params={{ userId: row.userId }}>
        <bdi>{shorten(personName(row))}</bdi>
      </Link>
    ),
  },
  {
    id: 'email',
    title: t('E-mail'),
    sort: 'email',
    csv: (row) => row.email ?? '',
    cell: ({ email }) => (email === null ? '–' : <LongWord>{email}</LongWord>),
  },
  { id: 'access', title: t('Access'), csv: accessOf, cell: accessOf },
  {
    id: 'lastLoginAt',
    title: t('Last sign-in'),
    sort: 'lastLoginAt',
    csv: (row) => csvTime(row.lastLoginAt),
    cell: (row) => (row.lastLoginAt === null ? t('never') : formatDay(row.lastLoginAt)),
  },
  {
    id: 'createdAt',
    title: t('Account since'),
    sort: 'createdAt',
    csv: (row) => csvTime(row.createdAt),
    cell: (row) => formatDay(row.createdAt),
  },
];

const MAX_NAME = 120;
const shorten = (name: string): string => (name.length > MAX_NAME ? `${[...name].slice(0, MAX_NAME).join('')}…` : name);

function accessOf({ hasAccess, accessDate, waitingSince, isAdmin }: Learner): string {
  if (hasAccess) return isAdmin ? t('Admin, with access') : t('Has access');
  if (waitingSince !== null) return t('Asked on {day}', { day: formatDay(waitingSince) });
  return accessDate === null ? t('No access') : t('Access ended');
}

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: t('Show'),
    options: [
      { value: 'all', label: t('All learners') },
      { value: 'waiting', label: t('Waiting for access') },
      { value: 'with_access', label: t('With access') },
      { value: 'without_access', label: t('Without access') },
      { value: 'admins', label: t('Admins') },
    ],
  },
];

export function LearnersScreen(): ReactElement {
  const navigate = useNavigate();
  return (
    <Screen
      title={t('Learners')}
      action={<Button onPress={() => void navigate({ to: '/learners/invite' })}>{t('Invite learners')}</Button>}
    >
      <List<Learner>
        name={t('Learners')}
        count={(count) => t('{count, plural, one {# learner} other {# learners}}', { count })}
        columns={columns}
        rowId={({ userId }) => userId}
        rowName={personName}
        defaultSort={{ sort: 'createdAt', direction: 'desc' }}
        queryKey={['learners']}
        filters={FILTERS}
        searchLabel={t('Name or address')}
        load={(request, { only }) =>
          client.admin.users({
            ...request,
            sort: request.sort as AdminUsersRequest['sort'],
            ...(only === undefined ? {} : { only: only as NonNullable<AdminUsersRequest['only']> }),
          })
        }
        selectedCount={(count) => t('{count, plural, one {# learner selected} other {# learners selected}}', { count })}
        renderBulkActions={(rows, clear) => <BulkActions learners={rows} onDone={clear} />}
        empty={{ title: t('No learners yet'), text: t('Invite the first ones by their e-mail addresses.') }}
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
        {t('Approve')}
      </Button>
      <Button onPress={() => setOpen('revoke')}>{t('End access')}</Button>
      {open === 'grant' && <GrantDialog learners={learners} onClose={close} onDone={onDone} />}
      {open === 'revoke' && <RevokeDialog learners={learners} onClose={close} onDone={onDone} />}
    </>
  );
}
