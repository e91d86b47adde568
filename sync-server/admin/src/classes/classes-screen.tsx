/** The classes of the school. */
import { t } from '@parley/i18n';
import type { ClassesRequest, ClassRow } from '@parley/contract';
import { Button } from '@parley/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { csvDay } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDay, formatNumber } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import { ClassNameDialog } from './class-name-dialog.tsx';

const columns: readonly ListColumn<ClassRow>[] = [
  {
    id: 'name',
    title: t('Class'),
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ classId, name }) => (
      <Link to="/classes/$classId" params={{ classId }}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'members',
    title: t('Learners'),
    isNumber: true,
    csv: ({ members }) => String(members),
    cell: ({ members }) => formatNumber(members),
  },
  {
    id: 'courses',
    title: t('Courses'),
    isNumber: true,
    csv: ({ courses }) => String(courses),
    cell: ({ courses }) => formatNumber(courses),
  },
  {
    id: 'dueAt',
    title: t('Next due date'),
    csv: ({ dueAt }) => csvDay(dueAt),
    cell: ({ dueAt }) => (dueAt === null ? '–' : formatDay(dueAt)),
  },
];

const FILTERS: readonly ListFilter[] = [
  {
    id: 'state',
    label: t('Show'),
    options: [
      { value: 'current', label: t('Current classes') },
      { value: 'archived', label: t('Archived classes') },
    ],
  },
];

export function ClassesScreen(): ReactElement {
  const [isAdding, setAdding] = useState(false);
  return (
    <Screen
      title={t('Classes')}
      intro={t(
        'A class is a group of learners. Assign it a course with a due date: each learner sees it, and you see who has finished.',
      )}
      action={<Button onPress={() => setAdding(true)}>{t('New class')}</Button>}
    >
      <List<ClassRow>
        name={t('Classes')}
        count={(count) => t('{count, plural, one {# class} other {# classes}}', { count })}
        columns={columns}
        rowId={({ classId }) => classId}
        defaultSort={{ sort: 'name', direction: 'asc' }}
        queryKey={['classes']}
        filters={FILTERS}
        searchLabel={t('Name')}
        load={(request, { state }) =>
          client.admin.classes({
            ...request,
            sort: request.sort as ClassesRequest['sort'],
            isArchived: state === 'archived',
          })
        }
        empty={{ title: t('No classes yet'), text: t('Create one and add learners by their addresses.') }}
      />
      {isAdding && <NewClassDialog onClose={() => setAdding(false)} />}
    </Screen>
  );
}

function NewClassDialog({ onClose }: { onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const create = async (name: string): Promise<void> => {
    const { classId } = await client.admin.createClass({ name });
    await navigate({ to: '/classes/$classId', params: { classId } });
  };
  return (
    <ClassNameDialog
      title={t('New class')}
      label={t('Name')}
      confirmLabel={t('Create the class')}
      before=""
      run={create}
      onClose={onClose}
    />
  );
}
