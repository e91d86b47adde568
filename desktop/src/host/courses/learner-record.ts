/** The learner's record in their courses: enrolments, finished practices, watched videos and opened sections. */
import type { CourseRecord } from '@parley/domain';
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { enrollments, isPractised, practiceHistory, type Store, userCourseInteraction } from '../store/index.ts';

export interface LearnerRecord extends CourseRecord {
  /** The sections from which the learner has opened a practice or video. */
  startedSections: ReadonlySet<string>;
  /** When the learner joined each course. */
  joinedAt: ReadonlyMap<string, Date>;
  /** When the learner was last active in each course. */
  lastActiveAt: ReadonlyMap<string, Date>;
}

export function readLearnerRecord(store: Store): LearnerRecord {
  const { userId } = store.identity();
  const completed = store.db
    .selectDistinct({ practiceId: practiceHistory.practiceId })
    .from(practiceHistory)
    .where(and(eq(practiceHistory.userId, userId), isPractised, isNull(practiceHistory.deletedAt)))
    .all();
  const interactions = store.db
    .select()
    .from(userCourseInteraction)
    .where(
      and(
        eq(userCourseInteraction.userId, userId),
        isNotNull(userCourseInteraction.courseId),
        isNull(userCourseInteraction.deletedAt),
      ),
    )
    .orderBy(desc(userCourseInteraction.timestamp))
    .all();
  const joined = store.db
    .select({ courseId: enrollments.courseId, at: enrollments.enrollmentDate })
    .from(enrollments)
    .where(and(eq(enrollments.userId, userId), isNull(enrollments.deletedAt)))
    .all();
  return {
    completedPractices: new Set(completed.map(({ practiceId }) => practiceId)),
    watchedVideos: new Set(
      interactions.flatMap(({ interactionType, details: { videoId } }) =>
        interactionType === 'video' && videoId !== null ? [videoId] : [],
      ),
    ),
    startedSections: new Set(interactions.flatMap(({ details: { courseSectionId: id } }) => (id === null ? [] : [id]))),
    joinedAt: new Map(joined.map(({ courseId, at }) => [courseId, at])),
    lastActiveAt: new Map(
      interactions
        .toReversed()
        .flatMap(({ courseId, timestamp }) => (courseId === null ? [] : [[courseId, timestamp]])),
    ),
  };
}

/** The objectives that the learner has reached in any practice. */
export const readReachedObjectives = ({ sqlite, identity }: Store): Set<string> =>
  new Set(
    sqlite
      .prepare<[string], string>(
        `SELECT DISTINCT done.value ->> '$.objectiveId' FROM practice_history h, json_each(h.completed_objectives) done
         WHERE h.user_id = ? AND h.deleted_at IS NULL`,
      )
      .pluck()
      .all(identity().userId),
  );
