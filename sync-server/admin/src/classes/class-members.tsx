/** The learners of a class, and how far each is in its courses. */
import { t } from '@parley/i18n';
import type { ClassDetail, ClassMember, ClassMembersRequest } from '@parley/contract';
import { Button } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { client } from '../foundation/api/client.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { LongWord } from '../foundation/list/long-word.tsx';
import { formatNumber, personName } from '../foundation/screen/format.ts';

type Course = ClassDetail['courses'][number];

export const doneOf = (done: number, total: number): string =>
  t('{done} of {total}', { done: formatNumber(done), total: formatNumber(total) });

const progressOf = ({ doneByCourseId }: ClassMember, { courseId, practices }: Course): string => {
  const done = doneByCourseId[courseId] ?? 0;
  return practices > 0 && done >= practices ? t('finished') : doneOf(done, practices);
};

const FILTERS: readonly ListFilter[] = [
  {
    id: 'only',
    label: t('Show'),
    options: [
      { value: 'all', label: t('All learners') },
      { value: 'unfinished', label: t('With something left to do') },
      { value: 'finished', label: t('Finished with all courses') },
    ],
  },
];

/** The column of a course is sorted by the course’s id. A link may name a course that is no longer assigned. */
function toOrder(sort: string, courses: readonly Course[]): Pick<ClassMembersRequest, 'sort' | 'courseId'> {
  if (courses.some(({ courseId }) => courseId === sort)) return { sort: 'done', courseId: sort };
  return { sort: sort === 'email' ? 'email' : 'name' };
}

const columnsOf = (
  courses: readonly Course[],
  onRemove: (member: ClassMember) => void,
): readonly ListColumn<ClassMember>[] => [
  {
    id: 'name',
    title: t('Name'),
    sort: 'name',
    csv: personName,
    cell: (member) => (
      <Link to="/learners/$userId" params={{ userId: member.userId }}>
        <bdi>{personName(member).slice(0, 120)}</bdi>
      </Link>
    ),
  },
  {
    id: 'email',
    title: t('Address'),
    sort: 'email',
    csv: ({ email }) => email ?? '',
    cell: ({ email }) => (email === null ? '–' : <LongWord>{email}</LongWord>),
  },
  ...courses.map((course): ListColumn<ClassMember> => ({
    id: course.courseId,
    title: course.title,
    sort: course.courseId,
    csv: (member) => progressOf(member, course),
    cell: (member) => progressOf(member, course),
  })),
  {
    id: 'actions',
    title: t('What you can do'),
    isActions: true,
    cell: (member) => <Button onPress={() => onRemove(member)}>{t('Remove')}</Button>,
  },
];

export function ClassMembers({
  classId,
  courses,
  onRemove,
}: {
  classId: string;
  courses: readonly Course[];
  onRemove: (member: ClassMember) => void;
}): ReactElement {
  const columns = useMemo(() => columnsOf(courses, onRemove), [courses, onRemove]);
  return (
    <List<ClassMember>
      name={t('Learners of this class')}
      count={(count) => t('{count, plural, one {# learner} other {# learners}}', { count })}
      columns={columns}
      rowId={({ userId }) => userId}
      defaultSort={{ sort: 'name', direction: 'asc' }}
      queryKey={['class-members', classId]}
      filters={FILTERS}
      searchLabel={t('Name or address')}
      load={({ sort, ...request }, { only }) =>
        client.admin.classMembers({
          ...request,
          ...toOrder(sort, courses),
          classId,
          ...(only === undefined ? {} : { only: only as NonNullable<ClassMembersRequest['only']> }),
        })
      }
      empty={{ title: t('Nobody is in this class yet.'), text: t('Add learners by their e-mail addresses.') }}
    />
  );
}
