/** Courses as the learner sees them: their order, progress, locks and videos, and the assignments of classes. */
import { COURSE_STATUSES, CourseId, SECTION_LOCKS } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';
import { PracticeCard } from './catalogue.ts';

export const VideoCard = z.object({
  videoId: z.uuid(),
  title: z.string(),
  description: z.string(),
  /** A `coming_soon` video is listed but cannot be opened. */
  state: z.enum(['ready', 'coming_soon']),
});
export type VideoCard = z.infer<typeof VideoCard>;

const itemFields = {
  courseSectionId: z.uuid(),
  isDone: z.boolean(),
};

export const CourseItemView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('practice'), ...itemFields, practice: PracticeCard }),
  z.object({ kind: z.literal('video'), ...itemFields, video: VideoCard }),
]);
export type CourseItemView = z.infer<typeof CourseItemView>;

const progressFields = {
  /** Practices finished and videos watched. */
  done: z.number().int(),
  /** Practices and videos that can be opened. */
  total: z.number().int(),
  isFinished: z.boolean(),
  /** The next item in an open section; null when there is none. */
  next: CourseItemView.nullable(),
};

export const CourseCard = z.object({
  courseId: CourseId,
  title: z.string(),
  description: z.string(),
  status: z.enum(COURSE_STATUSES),
  isEnrolled: z.boolean(),
  ...progressFields,
  /** The practices whose covers make up the cover of the course. */
  covers: z.array(PracticeCard),
});
export type CourseCard = z.infer<typeof CourseCard>;

export const CourseSectionView = z.object({
  courseSectionId: z.uuid(),
  title: z.string(),
  descriptions: z.string(),
  /** Why the section is locked; null when it is open. */
  lock: z.enum(SECTION_LOCKS).nullable(),
  /** Whether it would be locked if the learner had not started it. */
  isKeptOpen: z.boolean(),
  items: z.array(CourseItemView),
});
export type CourseSectionView = z.infer<typeof CourseSectionView>;

export const CourseView = CourseCard.extend({
  sections: z.array(CourseSectionView),
  /** The topic of each practice, in the words of its first objective. */
  goals: z.array(z.object({ text: z.string(), isReached: z.boolean() })),
  /** For a finished course: the first later course that is not finished, or else the first unfinished one. */
  nextCourse: z.object({ courseId: CourseId, title: z.string() }).nullable(),
});
export type CourseView = z.infer<typeof CourseView>;

/** A course that a class of the learner is to finish. */
export const AssignedCourse = z.object({
  courseId: CourseId,
  title: z.string(),
  className: z.string(),
  /** Null when there is no due date. */
  dueAt: z.date().nullable(),
  done: z.number().int(),
  total: z.number().int(),
});
export type AssignedCourse = z.infer<typeof AssignedCourse>;

/** Where in which course a practice was started. */
export const CoursePlace = z.object({ courseId: CourseId, courseSectionId: z.uuid() });
export type CoursePlace = z.infer<typeof CoursePlace>;

export const VideoView = z.object({
  video: VideoCard,
  course: z.object({ courseId: CourseId, title: z.string() }),
  /** WebVTT or plain text; empty when there is none. */
  transcript: z.string(),
  /** Where the learner stopped on this device, in seconds. */
  positionS: z.number().min(0),
  /** The next item in the course; null when there is none. */
  next: CourseItemView.nullable(),
});
export type VideoView = z.infer<typeof VideoView>;

const CourseInput = z.object({ courseId: CourseId });
const VideoInput = CoursePlace.extend({ videoId: z.uuid() });

export const coursesContract = {
  /** In the order of the catalogue: easiest courses first. */
  list: base.input(z.void()).output(z.array(CourseCard)),
  read: base.input(CourseInput).output(CourseView),
  /** Enrols the learner, online or offline. Enrolling again does nothing. */
  enrol: base.input(CourseInput).output(z.void()),
  /** Leaves the course. Its practice stays, and enrolling again restores the enrolment. */
  leave: base.input(CourseInput).output(z.void()),
  /** Fails with `course.locked` when the section is locked. */
  video: base.input(VideoInput).output(VideoView),
  /** Stores where the learner stopped; only on this device. */
  keepPosition: base.input(z.object({ videoId: z.uuid(), positionS: z.number().min(0).max(86_400) })).output(z.void()),
  /** Records that the learner has watched the video to its end. */
  watched: base.input(VideoInput).output(z.void()),
};
