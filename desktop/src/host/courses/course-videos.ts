/** The videos of courses: whether the learner may open them, where the learner stopped, and what comes next. */
import type { CoursePlace, VideoView } from '@parley/contract';
import { ok } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { failed, type HostResult } from '../result/index.ts';
import { insertRow, type Store, videoPositions, videos } from '../store/index.ts';
import { toItemView } from './course-views.ts';
import { readLearnerRecord } from './learner-record.ts';
import { openSection } from './open-section.ts';
import { type Outline, type OutlineItem, toVideoCard } from './read-outlines.ts';
import type { SectionLocks } from './section-locks.ts';

type VideoKey = CoursePlace & { videoId: string };

export interface CourseVideos {
  video(at: VideoKey): HostResult<VideoView>;
  /** Whether the learner may open the video in at least one of the places where it appears. */
  checkVideo(videoId: string): HostResult<void>;
  keepPosition(at: { videoId: string; positionS: number }): void;
  watched(at: VideoKey): HostResult<void>;
}

export interface CourseVideosParts {
  store: Store;
  locks: SectionLocks;
  outlines: () => Outline[];
  checkPlace: (at: CoursePlace & ({ practiceId: string } | { videoId: string })) => HostResult<void>;
}

export function createCourseVideos({ store, locks, outlines, checkPlace }: CourseVideosParts): CourseVideos {
  const { db } = store;

  function checkVideo(videoId: string): HostResult<void> {
    const record = readLearnerRecord(store);
    const places = outlines().flatMap((outline) => {
      const sectionLocks = locks.locksOf(outline, record);
      return outline.sections.flatMap(({ items }, index) =>
        items
          .filter(({ kind, id }) => kind === 'video' && id === videoId)
          .map(({ isReady }) => ({ isReady, lock: sectionLocks[index] ?? null })),
      );
    });
    const [place] = places.toSorted((a, b) => Number(a.lock !== null) - Number(b.lock !== null));
    if (place === undefined || !place.isReady) return failed('video.not_found');
    return place.lock === null ? ok(undefined) : failed('course.locked', { detail: place.lock });
  }

  return {
    checkVideo,

    video(at) {
      const place = checkPlace(at);
      if (!place.ok) return place;
      const row = db.select().from(videos).where(eq(videos.videoId, at.videoId)).get();
      const outline = outlines().find(({ course }) => course.courseId === at.courseId);
      if (row === undefined || outline === undefined) return failed('video.not_found');
      store.transaction(() => openSection(store, at));
      const record = readLearnerRecord(store);
      const position = db
        .select({ positionS: videoPositions.positionS })
        .from(videoPositions)
        .where(and(eq(videoPositions.userId, store.identity().userId), eq(videoPositions.videoId, at.videoId)))
        .get();
      const items = outline.sections.flatMap((section) => section.items).filter(({ isReady }) => isReady);
      const following = items[items.findIndex(({ kind, id }) => kind === 'video' && id === at.videoId) + 1];
      const isOpen = following !== undefined && checkPlace({ courseId: at.courseId, ...placeOf(following) }).ok;
      return ok({
        video: toVideoCard(row),
        course: { courseId: at.courseId, title: outline.course.title },
        transcript: row.transcript,
        positionS: position?.positionS ?? 0,
        next: isOpen ? toItemView(following, record) : null,
      });
    },

    keepPosition({ videoId, positionS }) {
      const { userId } = store.identity();
      db.insert(videoPositions)
        .values({ userId, videoId, positionS })
        .onConflictDoUpdate({ target: [videoPositions.userId, videoPositions.videoId], set: { positionS } })
        .run();
    },

    watched(at) {
      const place = checkPlace(at);
      if (!place.ok) return place;
      const { courseId, courseSectionId, videoId } = at;
      store.transaction(() =>
        insertRow(store, 'userCourseInteraction', {
          interactionId: store.newId(),
          userId: store.identity().userId,
          courseId,
          interactionType: 'video',
          timestamp: store.clock.now(),
          details: { sessionId: null, practiceId: null, videoId, courseSectionId },
        }),
      );
      return ok(undefined);
    },
  };
}

const placeOf = ({ courseSectionId, kind, id }: OutlineItem) =>
  kind === 'practice' ? { courseSectionId, practiceId: id } : { courseSectionId, videoId: id };
