/** One class: its courses with due dates, its learners, and who has finished what. */
import type { ClassDetail } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { formatDay, formatNumber, personName } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { AddLearnersDialog, AssignDialog } from './class-dialogs.tsx';

type Open =
  | { type: 'add' | 'assign' | 'archive' | 'restore' }
  | { type: 'remove'; member: ClassDetail['members'][number] }
  | { type: 'withdraw'; course: ClassDetail['courses'][number] };

export function ClassScreen(): ReactElement {
  const { classId } = useParams({ strict: false });
  const found = useQuery(api.admin.schoolClass.queryOptions({ input: { classId: classId ?? '' } }));
  return <QueryView query={found}>{(data) => <Class data={data} />}</QueryView>;
}

function Class({ data }: { data: ClassDetail }): ReactElement {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { classId, name, archivedAt, courses, members } = data;
  return (
    <Screen
      title={name}
      intro={
        <>
          <Link to="/classes">Classes</Link> · {formatNumber(members.length)}{' '}
          {members.length === 1 ? 'learner' : 'learners'}
        </>
      }
      action={
        archivedAt === null ? (
          <>
            <Button onPress={() => setOpen({ type: 'add' })}>Add learners</Button>
            <Button onPress={() => setOpen({ type: 'assign' })}>Assign a course</Button>
            <Button onPress={() => setOpen({ type: 'archive' })}>Archive</Button>
          </>
        ) : (
          <Button onPress={() => setOpen({ type: 'restore' })}>Restore</Button>
        )
      }
    >
      {archivedAt !== null && (
        <Banner>This class was archived on {formatDay(archivedAt)}. Learners no longer see its courses.</Banner>
      )}
      <section className={table['section']}>
        <h2>Courses</h2>
        {courses.length === 0 ? (
          <p className={table['quiet']}>No course is assigned yet.</p>
        ) : (
          <table className={table['table']}>
            <thead>
              <tr>
                <th>Course</th>
                <th>Due</th>
                <th>Finished</th>
                <th className={table['end']}>
                  <span className={table['hidden']}>What you can do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {courses.map((course) => (
                <tr key={course.courseId}>
                  <td>
                    <bdi>{course.title}</bdi>
                  </td>
                  <td>{course.dueAt === null ? 'no date' : formatDay(course.dueAt)}</td>
                  <td>
                    {course.finished} of {members.length}
                  </td>
                  <td className={table['end']}>
                    <Button onPress={() => setOpen({ type: 'withdraw', course })}>Take back</Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section className={table['section']}>
        <h2>Learners</h2>
        {members.length === 0 ? (
          <p className={table['quiet']}>Nobody is in this class yet.</p>
        ) : (
          <div className={table['scroll']} tabIndex={0} role="region" aria-label="Learners of this class">
            <table className={table['table']}>
              <thead>
                <tr>
                  <th>Name</th>
                  {courses.map(({ courseId, title }) => (
                    <th key={courseId}>
                      <bdi>{title}</bdi>
                    </th>
                  ))}
                  <th className={table['end']}>
                    <span className={table['hidden']}>What you can do</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {members.map((member) => (
                  <tr key={member.userId}>
                    <td>
                      <Link to="/learners/$userId" params={{ userId: member.userId }}>
                        <bdi>{personName(member).slice(0, 120)}</bdi>
                      </Link>
                    </td>
                    {courses.map(({ courseId, practices }, index) => (
                      <td key={courseId}>{progressOf(member.done[index] ?? 0, practices)}</td>
                    ))}
                    <td className={table['end']}>
                      <Button onPress={() => setOpen({ type: 'remove', member })}>Remove</Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {open?.type === 'add' && <AddLearnersDialog classId={classId} onClose={close} />}
      {open?.type === 'assign' && <AssignDialog classId={classId} choices={data.choices} onClose={close} />}
      {open?.type === 'archive' && (
        <ActionDialog
          title="Archive this class?"
          confirmLabel="Archive"
          run={() => client.admin.changeClass({ classId, isArchived: true })}
          onClose={close}
        >
          <p>Learners no longer see its courses as assigned. What they did is kept, and you can restore the class.</p>
        </ActionDialog>
      )}
      {open?.type === 'restore' && (
        <ActionDialog
          title="Restore this class?"
          confirmLabel="Restore"
          run={() => client.admin.changeClass({ classId, isArchived: false })}
          onClose={close}
        >
          <p>Its learners see its courses again.</p>
        </ActionDialog>
      )}
      {open?.type === 'remove' && (
        <ActionDialog
          title={`Remove ${personName(open.member).slice(0, 60)} from the class?`}
          confirmLabel="Remove"
          run={() => client.admin.removeFromClass({ classId, userId: open.member.userId })}
          onClose={close}
        >
          <p>They keep their account, their access and what they did. You can add them again.</p>
        </ActionDialog>
      )}
      {open?.type === 'withdraw' && (
        <ActionDialog
          title={`Take “${open.course.title.slice(0, 60)}” back?`}
          confirmLabel="Take back"
          run={() => client.admin.withdrawCourse({ classId, courseId: open.course.courseId })}
          onClose={close}
        >
          <p>Learners can still open the course, but it is no longer assigned to them.</p>
        </ActionDialog>
      )}
    </Screen>
  );
}

const progressOf = (done: number, practices: number): string =>
  practices > 0 && done >= practices ? 'finished' : `${done} of ${practices}`;
