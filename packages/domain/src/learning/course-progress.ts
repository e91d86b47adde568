/** A learner's progress in a course, and the next item. */
import type { SectionLock } from './course-access.ts';
import { ENGLISH_LEVELS, type CourseStatus, type EnglishLevel } from '../enumerations.ts';

export interface CoursePart {
  kind: 'practice' | 'video';
  /** The id of the practice or video. */
  id: string;
  /** False for an item that is listed but cannot be opened yet, and that does not count until then. */
  isReady: boolean;
}

export interface CourseOutline<Item extends CoursePart = CoursePart> {
  sections: readonly { lock: SectionLock | null; items: readonly Item[] }[];
}

/** The learner's record, from `practice_history` and from the interactions with videos. */
export interface CourseRecord {
  completedPractices: ReadonlySet<string>;
  watchedVideos: ReadonlySet<string>;
}

export interface CourseProgress<Item extends CoursePart = CoursePart> {
  done: number;
  total: number;
  /** The first ready item of an open section that is not done; null when there is none. */
  next: Item | null;
  /** False for a course without a ready item. */
  isFinished: boolean;
}

export const isItemDone = ({ kind, id }: CoursePart, record: CourseRecord): boolean =>
  (kind === 'practice' ? record.completedPractices : record.watchedVideos).has(id);

/** An item that is in several sections counts once. */
export function courseProgress<Item extends CoursePart>(
  { sections }: CourseOutline<Item>,
  record: CourseRecord,
): CourseProgress<Item> {
  const ready = new Map<string, Item>();
  const toDo: Item[] = [];
  for (const { lock, items } of sections)
    for (const item of items) {
      if (!item.isReady) continue;
      ready.set(`${item.kind}/${item.id}`, item);
      if (lock === null && !isItemDone(item, record)) toDo.push(item);
    }
  const total = ready.size;
  const done = [...ready.values()].filter((item) => isItemDone(item, record)).length;
  return { done, total, next: toDo[0] ?? null, isFinished: total > 0 && done === total };
}

export interface OrderedCourse {
  title: string;
  status: CourseStatus;
  /** The levels of its practices. */
  levels: readonly EnglishLevel[];
}

const meanLevel = ({ levels }: OrderedCourse): number =>
  levels.length === 0
    ? ENGLISH_LEVELS.length
    : levels.reduce((sum, level) => sum + ENGLISH_LEVELS.indexOf(level), 0) / levels.length;

/** Easiest courses first; courses that are coming soon last. */
export const compareCourses = (a: OrderedCourse, b: OrderedCourse): number =>
  Number(a.status === 'coming_soon') - Number(b.status === 'coming_soon') ||
  meanLevel(a) - meanLevel(b) ||
  a.title.localeCompare(b.title, 'en');
