/** Courses: what they contain, how far the learner is, what is locked, and enrolment. */
import type { AssignedCourse, CourseCard, CoursePlace, CourseView } from '@parley/contract';
import { CourseId, enrolmentId, ok } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import { failed, type HostResult } from '../result/index.ts';
import { enrollments, insertRow, removeRow } from '../store/index.ts';
import { type CourseVideos, createCourseVideos } from './course-videos.ts';
import { goalsOf, toCourseCard, toItemView } from './course-views.ts';
import { type LearnerRecord, readLearnerRecord, readReachedObjectives } from './learner-record.ts';
import { type Outline, readOutlines } from './read-outlines.ts';
import { createSectionLocks, type SectionLockParts } from './section-locks.ts';

export interface Courses extends CourseVideos {
  list(): CourseCard[];
  read(at: { courseId: CourseId }): HostResult<CourseView>;
  enrol(at: { courseId: CourseId }): HostResult<void>;
  leave(at: { courseId: CourseId }): HostResult<void>;
  /** The courses that the learner has joined but not finished, most recently practised first. */
  joined(): CourseCard[];
  assigned(): AssignedCourse[];
  /** Whether the learner may open a practice or video at this place. */
  checkPlace(at: CoursePlace & ({ practiceId: string } | { videoId: string })): HostResult<void>;
}

export interface CoursesParts extends SectionLockParts {
  catalogue: Catalogue;
  /** Called when the learner opens a course, so that a class that has been given it since unlocks it. */
  onOpened: () => void;
}

export function createCourses(parts: CoursesParts): Courses {
  const { store, assignments, catalogue } = parts;
  const locks = createSectionLocks(parts);
  const outlines = (): Outline[] => readOutlines(parts);
  const cardOf = (outline: Outline, record: LearnerRecord): CourseCard =>
    toCourseCard(outline, record, locks.locksOf(outline, record));

  function read({ courseId }: { courseId: CourseId }): HostResult<CourseView> {
    parts.onOpened();
    const record = readLearnerRecord(store);
    const all = outlines();
    const at = all.findIndex(({ course }) => course.courseId === courseId);
    const outline = all[at];
    if (outline === undefined) return failed('course.not_found');
    const sectionLocks = locks.locksOf(outline, record);
    const others = [...all.slice(at + 1), ...all.slice(0, at)].map((other) => cardOf(other, record));
    const nextCourse = others.find(
      ({ status, isFinished, total }) => status === 'available' && !isFinished && total > 0,
    );
    return ok({
      ...cardOf(outline, record),
      sections: outline.sections.map(({ section, items }, index) => ({
        courseSectionId: section.courseSectionId,
        title: section.title,
        descriptions: section.descriptions,
        lock: sectionLocks[index] ?? null,
        isKeptOpen: sectionLocks[index] === null && locks.lockOf(outline, index, false) !== null,
        items: items.map((item) => toItemView(item, record)),
      })),
      goals: goalsOf(outline, readReachedObjectives(store), catalogue),
      nextCourse: nextCourse === undefined ? null : { courseId: nextCourse.courseId, title: nextCourse.title },
    });
  }

  const enrolmentOf = (courseId: CourseId) =>
    store.db
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, store.identity().userId), eq(enrollments.courseId, courseId)))
      .all()
      .find(({ deletedAt }) => deletedAt === null);

  function findOutline(courseId: string): Outline | undefined {
    return outlines().find(({ course }) => course.courseId === courseId);
  }

  function checkPlace(at: Parameters<Courses['checkPlace']>[0]): HostResult<void> {
    const outline = findOutline(at.courseId);
    const index = outline?.sections.findIndex(({ section }) => section.courseSectionId === at.courseSectionId) ?? -1;
    const itemId = 'practiceId' in at ? at.practiceId : at.videoId;
    const item = outline?.sections[index]?.items.find(({ id }) => id === itemId);
    if (outline === undefined || item === undefined) return failed('course.not_found');
    const lock = locks.lockOf(outline, index, readLearnerRecord(store).startedSections.has(at.courseSectionId));
    if (lock !== null) return failed('course.locked', { detail: lock });
    return item.isReady ? ok(undefined) : failed(item.kind === 'video' ? 'video.not_found' : 'practice.not_found');
  }

  return {
    list() {
      const record = readLearnerRecord(store);
      return outlines().map((outline) => cardOf(outline, record));
    },

    read,

    enrol({ courseId }) {
      const outline = findOutline(courseId);
      if (outline === undefined) return failed('course.not_found');
      if (outline.course.status === 'coming_soon') return failed('course.locked', { detail: 'coming_soon' });
      const { userId } = store.identity();
      store.transaction(() => {
        if (enrolmentOf(courseId) !== undefined) return;
        insertRow(store, 'enrollments', {
          enrollmentId: enrolmentId(userId, courseId),
          userId,
          courseId,
          enrollmentDate: store.clock.now(),
        });
      });
      return ok(undefined);
    },

    leave({ courseId }) {
      store.transaction(() => {
        const enrolment = enrolmentOf(courseId);
        if (enrolment !== undefined) removeRow(store, 'enrollments', enrolment.enrollmentId);
      });
      return ok(undefined);
    },

    joined() {
      const record = readLearnerRecord(store);
      const lastAt = ({ courseId }: CourseCard): number =>
        Math.max(record.joinedAt.get(courseId)?.getTime() ?? 0, record.lastActiveAt.get(courseId)?.getTime() ?? 0);
      return outlines()
        .map((outline) => cardOf(outline, record))
        .filter(({ isEnrolled, isFinished, status }) => isEnrolled && !isFinished && status === 'available')
        .toSorted((a, b) => lastAt(b) - lastAt(a));
    },

    assigned() {
      const record = readLearnerRecord(store);
      const cards = new Map<string, CourseCard>(
        outlines().map((outline) => [outline.course.courseId, cardOf(outline, record)]),
      );
      return assignments
        .list()
        .map(({ courseId, title, className, dueAt, practices, done }): AssignedCourse => {
          // Practices that were finished on this device since the last sync count immediately.
          const here = cards.get(courseId);
          return {
            courseId: CourseId.parse(courseId),
            title: here?.title ?? title,
            className,
            dueAt: dueAt === null ? null : new Date(dueAt),
            done: here?.done ?? done,
            total: here?.total ?? practices,
          };
        })
        .toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)) || dueMs(a) - dueMs(b));
    },

    checkPlace,
    ...createCourseVideos({ store, locks, outlines, checkPlace }),
  };
}

const isDone = ({ done, total }: AssignedCourse): boolean => total > 0 && done >= total;
const dueMs = ({ dueAt }: AssignedCourse): number => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
