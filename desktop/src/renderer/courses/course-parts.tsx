/** Parts that the list of courses, a course and Today share: the cover, the progress and a link to an item. */
import { t } from '@parley/i18n';
import type { CourseCard, CourseItemView, PracticeCard } from '@parley/contract';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { PracticeCover } from '../catalogue/index.ts';
import css from './courses.module.css';

/** The covers of its practices, side by side. */
export const CourseCover = ({ covers }: { covers: readonly PracticeCard[] }): ReactElement => (
  <div className={css['cover']}>
    {covers.map((card) => (
      <PracticeCover key={card.practiceId} card={card} />
    ))}
  </div>
);

/** More marks than this are too many to count at a glance. */
const MARKS_SHOWN = 24;

/** A bar for each finished item, and a dot for each remaining one. */
export function CourseProgress({ course }: { course: Pick<CourseCard, 'done' | 'total'> }): ReactElement {
  const { done, total } = course;
  return (
    <p className={css['progress']}>
      {total <= MARKS_SHOWN && (
        <span className={css['marks']} aria-hidden="true">
          {Array.from({ length: total }, (_, index) => (
            <i key={index} className={index < done ? css['done'] : undefined} />
          ))}
        </span>
      )}
      <span>{t('{done} of {total} done', { done, total })}</span>
    </p>
  );
}

export const itemTitle = (item: CourseItemView): string =>
  item.kind === 'practice' ? item.practice.title : item.video.title;

export interface ItemLinkProps {
  courseId: CourseCard['courseId'];
  item: CourseItemView;
  className?: string | undefined;
  children: ReactNode;
}

/** Opens a practice or video of a course, which then counts for the course. */
export function ItemLink({ courseId, item, className, children }: ItemLinkProps): ReactElement {
  const { courseSectionId } = item;
  if (item.kind === 'video')
    return (
      <Link
        to="/courses/$courseId/videos/$videoId"
        params={{ courseId, videoId: item.video.videoId }}
        search={{ section: courseSectionId }}
        {...(className === undefined ? {} : { className })}
      >
        {children}
      </Link>
    );
  return (
    <Link
      to="/practise/$practiceId"
      params={{ practiceId: item.practice.practiceId }}
      search={{ course: courseId, section: courseSectionId }}
      {...(className === undefined ? {} : { className })}
    >
      {children}
    </Link>
  );
}
