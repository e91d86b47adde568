/** Assignments from classes, and the next step in the learner's own courses. */
import { t } from '@parley/i18n';
import type { AssignedCourse, CourseCard } from '@parley/contract';
import { cx, MutedText } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CourseProgress, ItemLink, itemTitle } from '../courses/index.ts';
import { useNow } from '../foundation/day/new-day.ts';
import { dueSentence, isOverdue } from './due-sentence.ts';
import css from './today.module.css';

export function AssignedCourses({ assignments }: { assignments: readonly AssignedCourse[] }): ReactElement | null {
  const now = useNow();
  if (assignments.length === 0) return null;
  return (
    <section className={css['section']} aria-labelledby="assignments">
      <h2 id="assignments">{t('Your class')}</h2>
      <ul className={css['assignments']}>
        {assignments.map((assigned) => (
          <li key={`${assigned.courseId}/${assigned.className}`}>
            <Link to="/courses/$courseId" params={{ courseId: assigned.courseId }} lang="en">
              {assigned.title}
            </Link>
            <p className={cx(isOverdue(assigned, now) && css['overdue'])}>{dueSentence(assigned, now)}</p>
            <CourseProgress course={assigned} />
            <MutedText small>{t('For {className}', { className: assigned.className })}</MutedText>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** More would push the week out of sight; the others are in Courses. */
const COURSES_SHOWN = 2;

export function NextInCourse({ courses }: { courses: readonly CourseCard[] }): ReactElement | null {
  if (courses.length === 0) return null;
  return (
    <>
      {courses.slice(0, COURSES_SHOWN).map((course) => (
        <section key={course.courseId} className={css['section']} aria-labelledby={`course-${course.courseId}`}>
          <h2 id={`course-${course.courseId}`}>
            <Link to="/courses/$courseId" params={{ courseId: course.courseId }} lang="en">
              {course.title}
            </Link>
          </h2>
          <CourseProgress course={course} />
          {course.next !== null && (
            <p className={css['next']}>
              <span>{t('Next in your course')}</span>
              <ItemLink courseId={course.courseId} item={course.next}>
                <span lang="en">{itemTitle(course.next)}</span>
              </ItemLink>
            </p>
          )}
        </section>
      ))}
    </>
  );
}
