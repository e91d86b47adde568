/** The courses and their items in the form in which the screens show them. */
import type { CourseCard, CourseItemView, CourseView, PracticeCard } from '@parley/contract';
import { courseProgress, isItemDone, type SectionLock } from '@parley/domain';
import type { Catalogue } from '../catalogue/index.ts';
import type { LearnerRecord } from './learner-record.ts';
import type { Outline, OutlineItem } from './read-outlines.ts';

/** The number of covers that fit side by side. */
const COVERS_SHOWN = 4;

export function toCourseCard(
  outline: Outline,
  record: LearnerRecord,
  locks: readonly (SectionLock | null)[],
): CourseCard {
  const { course, sections } = outline;
  const { next, ...progress } = courseProgress(
    { sections: sections.map(({ items }, index) => ({ lock: locks[index] ?? null, items })) },
    record,
  );
  return {
    courseId: course.courseId,
    title: course.title,
    description: course.description,
    status: course.status,
    isEnrolled: record.joinedAt.has(course.courseId),
    ...progress,
    next: next === null ? null : toItemView(next, record),
    covers: practicesOf(outline).slice(0, COVERS_SHOWN),
  };
}

/** The first objective of each practice. A practice may be finished without reaching it. */
export function goalsOf(outline: Outline, reached: ReadonlySet<string>, catalogue: Catalogue): CourseView['goals'] {
  return practicesOf(outline).flatMap(({ practiceId, state }) => {
    const [first] = state === 'ready' ? catalogue.objectivesOf(practiceId) : [];
    return first === undefined ? [] : [{ text: first.description, isReached: reached.has(first.objectiveId) }];
  });
}

export function toItemView(item: OutlineItem, record: LearnerRecord): CourseItemView {
  const fields = { courseSectionId: item.courseSectionId, isDone: isItemDone(item, record) };
  return item.kind === 'practice'
    ? { kind: 'practice', ...fields, practice: item.practice }
    : { kind: 'video', ...fields, video: item.video };
}

const practicesOf = ({ sections }: Outline): PracticeCard[] =>
  sections.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'practice' ? [item.practice] : [])));
