/** Records that the learner has opened a section of a course, once per section. */
import type { CoursePlace } from '@parley/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { insertRow, type Store, userCourseInteraction } from '../store/index.ts';

/** Call this inside a transaction. */
export function openSection(store: Store, { courseId, courseSectionId }: CoursePlace): void {
  const { userId } = store.identity();
  const known = store.db
    .select({ interactionId: userCourseInteraction.interactionId })
    .from(userCourseInteraction)
    .where(
      and(
        eq(userCourseInteraction.userId, userId),
        eq(userCourseInteraction.courseId, courseId),
        isNull(userCourseInteraction.deletedAt),
        sql`details ->> '$.courseSectionId' = ${courseSectionId}`,
      ),
    )
    .get();
  if (known !== undefined) return;
  insertRow(store, 'userCourseInteraction', {
    interactionId: store.newId(),
    userId,
    courseId,
    interactionType: 'section_opened',
    timestamp: store.clock.now(),
    details: { sessionId: null, practiceId: null, videoId: null, courseSectionId },
  });
}
