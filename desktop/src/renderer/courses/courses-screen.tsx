/** Every course of the catalogue, with the learner's progress. */
import { t } from '@parley/i18n';
import type { CourseCard } from '@parley/contract';
import { Badge, EmptyState, MutedText, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { CourseCover, CourseProgress, itemTitle } from './course-parts.tsx';
import css from './courses.module.css';

export function CoursesScreen(): ReactElement {
  const { queries } = useHost();
  const courses = useQuery(queries.courses.list.queryOptions());
  return (
    <Screen title={t('Courses')} intro={t('Practices and videos that build on each other.')}>
      <QueryView query={courses} loadingLabel={t('Loading courses')}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('No courses yet')} action={<Link to="/practise">{t('Choose a practice')}</Link>}>
              {t('Your school hasn’t published a course yet. Every practice is open to you meanwhile.')}
            </EmptyState>
          ) : (
            <ul className={css['list']}>
              {list.map((course) => (
                <li key={course.courseId}>
                  <CourseCardView course={course} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Screen>
  );
}

function CourseCardView({ course }: { course: CourseCard }): ReactElement {
  const content = (
    <>
      <CourseCover covers={course.covers} />
      <div className={css['about']}>
        <Row>
          <h2 lang="en">{course.title}</h2>
          {course.status === 'coming_soon' && <Badge>{t('Coming soon')}</Badge>}
          {course.isFinished && <Badge icon="check">{t('Finished')}</Badge>}
        </Row>
        <p className={css['description']}>
          <Explanation english={course.description} />
        </p>
        {course.status === 'available' && (course.isEnrolled || course.done > 0) && <CourseProgress course={course} />}
        {course.isEnrolled && course.next !== null && (
          <MutedText small>{t('Next: {title}', { title: itemTitle(course.next) })}</MutedText>
        )}
      </div>
    </>
  );
  if (course.status === 'coming_soon') return <div className={css['card']}>{content}</div>;
  return (
    <Link to="/courses/$courseId" params={{ courseId: course.courseId }} className={css['card']}>
      {content}
    </Link>
  );
}
