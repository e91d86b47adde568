/** Which sections of a course are locked for the learner, and why. */
import { type PlanSnapshot, type SectionLock, sectionLock } from '@parley/domain';
import type { Store } from '../store/index.ts';
import type { Assignments } from './assignments.ts';
import type { LearnerRecord } from './learner-record.ts';
import type { Outline } from './read-outlines.ts';

export interface SectionLockParts {
  store: Store;
  assignments: Pick<Assignments, 'list'>;
  /** The learner's plan according to the server's last response; null if the server sells no plans. */
  plan: () => PlanSnapshot | null;
}

export interface SectionLocks {
  /** Null when the section is unlocked. `isStarted` says whether the learner has opened it before. */
  lockOf(outline: Outline, index: number, isStarted: boolean): SectionLock | null;
  locksOf(outline: Outline, record: LearnerRecord): (SectionLock | null)[];
}

export function createSectionLocks({ store, assignments, plan }: SectionLockParts): SectionLocks {
  const isAssigned = (courseId: string): boolean => assignments.list().some((each) => each.courseId === courseId);

  function lockOf({ course }: Outline, index: number, isStarted: boolean): SectionLock | null {
    const facts = {
      courseStatus: course.status,
      plan: plan(),
      isFirst: index === 0,
      isStarted,
      isAssigned: isAssigned(course.courseId),
    };
    return sectionLock(facts, store.clock.now());
  }

  const locksOf = (outline: Outline, record: LearnerRecord): (SectionLock | null)[] =>
    outline.sections.map(({ section }, index) =>
      lockOf(outline, index, record.startedSections.has(section.courseSectionId)),
    );

  return { lockOf, locksOf };
}
