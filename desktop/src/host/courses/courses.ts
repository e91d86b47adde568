/** Courses: what they contain, how far the learner is, what is locked, and enrolment. */
import type {
  AssignedCourse,
  CourseCard,
  CourseItemView,
  CoursePlace,
  CourseView,
  PracticeCard,
  VideoView,
} from '@parley/contract';
import {
  CourseId,
  courseProgress,
  enrolmentId,
  isItemDone,
  ok,
  type PlanSnapshot,
  type SectionLock,
  sectionLock,
} from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import { failed, type HostResult } from '../result/index.ts';
import { enrollments, insertRow, removeRow, type Store, videoPositions, videos } from '../store/index.ts';
import type { Assignments } from './assignments.ts';
import { type LearnerRecord, readLearnerRecord } from './learner-record.ts';
import { openSection } from './open-section.ts';
import { type Outline, type OutlineItem, readOutlines, toVideoCard } from './read-outlines.ts';

type VideoKey = CoursePlace & { videoId: string };

export interface Courses {
  list(): CourseCard[];
  read(at: { courseId: CourseId }): HostResult<CourseView>;
  enrol(at: { courseId: CourseId }): HostResult<void>;
  leave(at: { courseId: CourseId }): HostResult<void>;
  /** The courses that the learner has joined and not finished, the one practised last first. */
  joined(): CourseCard[];
  assigned(): AssignedCourse[];
  /** Whether the learner may open a practice or video at this place. */
  checkPlace(at: CoursePlace & ({ practiceId: string } | { videoId: string })): HostResult<void>;
  video(at: VideoKey): HostResult<VideoView>;
  /** Whether the learner may open a video at any of its places. */
  checkVideo(videoId: string): HostResult<void>;
  keepPosition(at: { videoId: string; positionS: number }): void;
  watched(at: VideoKey): HostResult<void>;
}

export interface CoursesParts {
  store: Store;
  catalogue: Catalogue;
  assignments: Pick<Assignments, 'list'>;
  /** What the server last said about the learner's plan; null where no plans are sold. */
  plan: () => PlanSnapshot | null;
}

/** The number of covers that fit side by side. */
const COVERS_SHOWN = 4;

export function createCourses(parts: CoursesParts): Courses {
  const { store, assignments } = parts;
  const { db } = store;

  const isAssigned = (courseId: string): boolean => assignments.list().some((each) => each.courseId === courseId);

  function lockOf({ course }: Outline, index: number, isStarted: boolean): SectionLock | null {
    const facts = {
      courseStatus: course.status,
      plan: parts.plan(),
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

  function toCourseCard(outline: Outline, record: LearnerRecord): CourseCard {
    const { course, sections } = outline;
    const locks = locksOf(outline, record);
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

  /** The first objective of each practice. */
  function goalsOf(outline: Outline, record: LearnerRecord): CourseView['goals'] {
    return practicesOf(outline).flatMap(({ practiceId, state }) => {
      const [first] = state === 'ready' ? parts.catalogue.objectivesOf(practiceId) : [];
      return first === undefined
        ? []
        : [{ text: first.description, isReached: record.completedPractices.has(practiceId) }];
    });
  }

  function read({ courseId }: { courseId: CourseId }): HostResult<CourseView> {
    const record = readLearnerRecord(store);
    const outlines = readOutlines(parts);
    const at = outlines.findIndex(({ course }) => course.courseId === courseId);
    const outline = outlines[at];
    if (outline === undefined) return failed('course.not_found');
    const locks = locksOf(outline, record);
    const others = [...outlines.slice(at + 1), ...outlines.slice(0, at)].map((other) => toCourseCard(other, record));
    const nextCourse = others.find(
      ({ status, isFinished, total }) => status === 'available' && !isFinished && total > 0,
    );
    return ok({
      ...toCourseCard(outline, record),
      sections: outline.sections.map(({ section, items }, index) => ({
        courseSectionId: section.courseSectionId,
        title: section.title,
        descriptions: section.descriptions,
        lock: locks[index] ?? null,
        isKeptOpen: locks[index] === null && lockOf(outline, index, false) !== null,
        items: items.map((item) => toItemView(item, record)),
      })),
      goals: goalsOf(outline, record),
      nextCourse: nextCourse === undefined ? null : { courseId: nextCourse.courseId, title: nextCourse.title },
    });
  }

  const enrolmentOf = (courseId: CourseId) =>
    db
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, store.identity().userId), eq(enrollments.courseId, courseId)))
      .all()
      .find(({ deletedAt }) => deletedAt === null);

  function findOutline(courseId: string): Outline | undefined {
    return readOutlines(parts).find(({ course }) => course.courseId === courseId);
  }

  function checkPlace(at: Parameters<Courses['checkPlace']>[0]): HostResult<void> {
    const outline = findOutline(at.courseId);
    const index = outline?.sections.findIndex(({ section }) => section.courseSectionId === at.courseSectionId) ?? -1;
    const itemId = 'practiceId' in at ? at.practiceId : at.videoId;
    const item = outline?.sections[index]?.items.find(({ id }) => id === itemId);
    if (outline === undefined || item === undefined) return failed('course.not_found');
    const lock = lockOf(outline, index, readLearnerRecord(store).startedSections.has(at.courseSectionId));
    if (lock !== null) return failed('course.locked', { detail: lock });
    return item.isReady ? ok(undefined) : failed(item.kind === 'video' ? 'video.not_found' : 'practice.not_found');
  }

  function checkVideo(videoId: string): HostResult<void> {
    const record = readLearnerRecord(store);
    const places = readOutlines(parts).flatMap((outline) => {
      const locks = locksOf(outline, record);
      return outline.sections.flatMap(({ items }, index) =>
        items
          .filter(({ kind, id }) => kind === 'video' && id === videoId)
          .map(({ isReady }) => ({ isReady, lock: locks[index] ?? null })),
      );
    });
    const [place] = places.toSorted((a, b) => Number(a.lock !== null) - Number(b.lock !== null));
    if (place === undefined || !place.isReady) return failed('video.not_found');
    return place.lock === null ? ok(undefined) : failed('course.locked', { detail: place.lock });
  }

  return {
    list() {
      const record = readLearnerRecord(store);
      return readOutlines(parts).map((outline) => toCourseCard(outline, record));
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
      return readOutlines(parts)
        .map((outline) => toCourseCard(outline, record))
        .filter(({ isEnrolled, isFinished, status }) => isEnrolled && !isFinished && status === 'available')
        .toSorted((a, b) => lastAt(b) - lastAt(a));
    },

    assigned() {
      const record = readLearnerRecord(store);
      const cards = new Map<string, CourseCard>(
        readOutlines(parts).map((outline) => [outline.course.courseId, toCourseCard(outline, record)]),
      );
      return assignments
        .list()
        .map(({ courseId, title, className, dueAt, practices, done }): AssignedCourse => {
          // Practices finished on this device since then are counted at once.
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
    checkVideo,

    video(at) {
      const place = checkPlace(at);
      if (!place.ok) return place;
      const row = db.select().from(videos).where(eq(videos.videoId, at.videoId)).get();
      const outline = findOutline(at.courseId);
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

const isDone = ({ done, total }: AssignedCourse): boolean => total > 0 && done >= total;
const dueMs = ({ dueAt }: AssignedCourse): number => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

const placeOf = ({ courseSectionId, kind, id }: OutlineItem) =>
  kind === 'practice' ? { courseSectionId, practiceId: id } : { courseSectionId, videoId: id };

const practicesOf = ({ sections }: Outline): PracticeCard[] =>
  sections.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'practice' ? [item.practice] : [])));

function toItemView(item: OutlineItem, record: LearnerRecord): CourseItemView {
  const fields = { courseSectionId: item.courseSectionId, isDone: isItemDone(item, record) };
  return item.kind === 'practice'
    ? { kind: 'practice', ...fields, practice: item.practice }
    : { kind: 'video', ...fields, video: item.video };
}
