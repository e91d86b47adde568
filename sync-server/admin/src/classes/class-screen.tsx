/** One class: its courses with due dates, its learners, and who has finished what. */
import { t } from '@parley/i18n';
import type { ClassDetail, ClassMember } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useCallback, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { ActionsHeader } from '../foundation/screen/actions-header.tsx';
import { formatDay, personName } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WideTable } from '../foundation/screen/wide-table.tsx';
import { AddLearnersDialog, AssignDialog, RenameDialog } from './class-dialogs.tsx';
import { ClassMembers, doneOf } from './class-members.tsx';

type Open =
  | { type: 'add' | 'assign' | 'rename' | 'archive' | 'restore' }
  | { type: 'remove'; member: ClassMember }
  | { type: 'withdraw'; course: ClassDetail['courses'][number] };

export function ClassScreen(): ReactElement {
  const { classId } = useParams({ strict: false });
  const found = useQuery(api.admin.schoolClass.queryOptions({ input: { classId: classId ?? '' } }));
  return <QueryView query={found}>{(data) => <Class data={data} />}</QueryView>;
}

function Class({ data }: { data: ClassDetail }): ReactElement {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const askToRemove = useCallback((member: ClassMember) => setOpen({ type: 'remove', member }), []);
  const { classId, name, archivedAt, courses, members } = data;
  return (
    <Screen
      title={name}
      intro={
        <>
          <Link to="/classes">{t('Classes')}</Link> ·{' '}
          {t('{count, plural, one {# learner} other {# learners}}', { count: members })}
        </>
      }
      action={
        archivedAt === null ? (
          <>
            <Button onPress={() => setOpen({ type: 'add' })}>{t('Add learners')}</Button>
            <Button onPress={() => setOpen({ type: 'assign' })}>{t('Assign a course')}</Button>
            <Button onPress={() => setOpen({ type: 'rename' })}>{t('Rename')}</Button>
            <Button onPress={() => setOpen({ type: 'archive' })}>{t('Archive')}</Button>
          </>
        ) : (
          <Button onPress={() => setOpen({ type: 'restore' })}>{t('Restore')}</Button>
        )
      }
    >
      {archivedAt !== null && (
        <Banner>
          {t('This class was archived on {day}. Learners no longer see its courses.', { day: formatDay(archivedAt) })}
        </Banner>
      )}
      <section className={table['section']}>
        <h2>{t('Courses')}</h2>
        {courses.length === 0 ? (
          <p className={table['quiet']}>{t('No course is assigned yet.')}</p>
        ) : (
          <WideTable name={t('Courses')}>
            <thead>
              <tr>
                <th>{t('Course')}</th>
                <th>{t('Due')}</th>
                <th>{t('Finished')}</th>
                <ActionsHeader />
              </tr>
            </thead>
            <tbody>
              {courses.map((course) => (
                <tr key={course.courseId}>
                  <td>
                    <bdi>{course.title}</bdi>
                  </td>
                  <td>{course.dueAt === null ? t('no date') : formatDay(course.dueAt)}</td>
                  <td>{doneOf(course.finished, members)}</td>
                  <td className={table['end']}>
                    <Button onPress={() => setOpen({ type: 'withdraw', course })}>{t('Unassign')}</Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        )}
      </section>
      <section className={table['section']}>
        <h2>{t('Learners')}</h2>
        <ClassMembers classId={classId} courses={courses} onRemove={askToRemove} />
      </section>
      {open?.type === 'add' && <AddLearnersDialog classId={classId} onClose={close} />}
      {open?.type === 'assign' && <AssignDialog {...data} onClose={close} />}
      {open?.type === 'rename' && <RenameDialog classId={classId} name={name} onClose={close} />}
      {open?.type === 'archive' && (
        <ActionDialog
          title={t('Archive this class?')}
          confirmLabel={t('Archive')}
          run={() => client.admin.changeClass({ classId, isArchived: true })}
          onClose={close}
        >
          <p>
            {t('Learners no longer see its courses as assigned. What they did is kept, and you can restore the class.')}
          </p>
        </ActionDialog>
      )}
      {open?.type === 'restore' && (
        <ActionDialog
          title={t('Restore this class?')}
          confirmLabel={t('Restore')}
          run={() => client.admin.changeClass({ classId, isArchived: false })}
          onClose={close}
        >
          <p>{t('Its learners see its courses again.')}</p>
        </ActionDialog>
      )}
      {open?.type === 'remove' && (
        <ActionDialog
          title={t('Remove {name} from the class?', { name: personName(open.member).slice(0, 60) })}
          confirmLabel={t('Remove')}
          run={() => client.admin.removeFromClass({ classId, userId: open.member.userId })}
          onClose={close}
        >
          <p>{t('They keep their account, their access and what they did. You can add them again.')}</p>
        </ActionDialog>
      )}
      {open?.type === 'withdraw' && (
        <ActionDialog
          title={t('Unassign “{title}”?', { title: open.course.title.slice(0, 60) })}
          confirmLabel={t('Unassign')}
          run={() => client.admin.withdrawCourse({ classId, courseId: open.course.courseId })}
          onClose={close}
        >
          <p>{t('Learners can still open the course, but it’s no longer assigned to them.')}</p>
        </ActionDialog>
      )}
    </Screen>
  );
}
