/** Reads the courses with their sections and items from the local copy of the catalogue. */
import type { PracticeCard, VideoCard } from '@parley/contract';
import { compareCourses, type CoursePart, type Row } from '@parley/domain';
import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import {
  courses,
  courseSectionPractices,
  courseSections,
  courseSectionVideos,
  type Store,
  videos,
} from '../store/index.ts';

export type OutlineItem = CoursePart & { courseSectionId: string } & (
    { kind: 'practice'; practice: PracticeCard } | { kind: 'video'; video: VideoCard }
  );

export interface Outline {
  course: Row<'courses'>;
  sections: { section: Row<'courseSections'>; items: OutlineItem[] }[];
}

export const toVideoCard = ({ videoId, title, description, availability }: Row<'videos'>): VideoCard => ({
  videoId,
  title,
  description,
  state: availability === 'ready' ? 'ready' : 'coming_soon',
});

/** Easiest courses first. Withdrawn and invisible items are left out. */
export function readOutlines({ store, catalogue }: { store: Store; catalogue: Catalogue }): Outline[] {
  const itemsBySection = Map.groupBy(readItems(store, catalogue), ({ item }) => item.courseSectionId);
  const sectionsByCourse = Map.groupBy(
    store.db
      .select()
      .from(courseSections)
      .where(isNull(courseSections.deletedAt))
      .orderBy(asc(courseSections.courseId), asc(courseSections.order))
      .all(),
    ({ courseId }) => courseId,
  );
  return store.db
    .select()
    .from(courses)
    .where(isNull(courses.deletedAt))
    .all()
    .map((course) => ({
      course,
      sections: (sectionsByCourse.get(course.courseId) ?? []).map((section) => ({
        section,
        items: (itemsBySection.get(section.courseSectionId) ?? []).map(({ item }) => item),
      })),
    }))
    .toSorted((a, b) => compareCourses(toOrdered(a), toOrdered(b)));
}

const toOrdered = ({ course: { title, status }, sections }: Outline) => ({
  title,
  status,
  levels: sections.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'practice' ? [item.practice.level] : [])),
  ),
});

/** Practices and videos share one sequence of positions within their section. */
function readItems(store: Store, catalogue: Catalogue): { position: number; item: OutlineItem }[] {
  const cards = new Map(catalogue.practices().map((card) => [card.practiceId, card]));
  const practices = store.db
    .select()
    .from(courseSectionPractices)
    .where(isNull(courseSectionPractices.deletedAt))
    .all()
    .flatMap(({ courseSectionId, practiceId, position }) => {
      const practice = cards.get(practiceId);
      if (practice === undefined) return [];
      const isReady = practice.state === 'ready';
      return [{ position, item: { kind: 'practice', id: practiceId, isReady, courseSectionId, practice } as const }];
    });
  const shownVideos = store.db
    .select({ placed: courseSectionVideos, video: videos })
    .from(courseSectionVideos)
    .innerJoin(videos, eq(videos.videoId, courseSectionVideos.videoId))
    .where(and(isNull(courseSectionVideos.deletedAt), isNull(videos.deletedAt), ne(videos.availability, 'not_visible')))
    .all()
    .map(({ placed: { courseSectionId, position }, video: row }) => {
      const video = toVideoCard(row);
      const isReady = video.state === 'ready';
      return { position, item: { kind: 'video', id: row.videoId, isReady, courseSectionId, video } as const };
    });
  return [...practices, ...shownVideos].toSorted((a, b) => a.position - b.position);
}
