/** What the screens show of the catalogue: cards, briefings, courses, coaches. */
import {
  CoachId,
  CoachVoice,
  CourseId,
  COURSE_STATUSES,
  ENGLISH_LEVELS,
  ObjectiveId,
  PracticeId,
  Score,
  UsefulWord,
} from '@parley/domain';
import { z } from 'zod';
import { base } from './base.ts';

export const CoachCard = z.object({
  agentId: CoachId,
  name: z.string(),
  avatarUrl: z.string(),
  communicationStyle: z.string(),
  characterTraits: z.array(z.string()),
  skills: z.array(z.string()),
  voice: CoachVoice,
});
export type CoachCard = z.infer<typeof CoachCard>;

export const PracticeCard = z.object({
  practiceId: PracticeId,
  title: z.string(),
  category: z.string(),
  level: z.enum(ENGLISH_LEVELS),
  minutes: z.number().int(),
  descriptionSummary: z.string(),
  coverImageUrl: z.string(),
  coachName: z.string(),
  coachAvatarUrl: z.string(),
  /** Best overall score of the learner's completed sessions; null before the first. */
  bestScore: Score.nullable(),
  /** `coming_soon` can be read about, not opened. */
  state: z.enum(['ready', 'coming_soon']),
});
export type PracticeCard = z.infer<typeof PracticeCard>;

export const PracticeBriefing = z.object({
  card: PracticeCard,
  scenario: z.string(),
  description: z.string(),
  learnerRole: z.string(),
  coach: CoachCard,
  objectives: z.array(z.object({ objectiveId: ObjectiveId, description: z.string() })),
  usefulWords: z.array(UsefulWord),
  /** Whether it can be held without a live coach. */
  hasScript: z.boolean(),
});
export type PracticeBriefing = z.infer<typeof PracticeBriefing>;

export const CourseCard = z.object({
  courseId: CourseId,
  title: z.string(),
  description: z.string(),
  status: z.enum(COURSE_STATUSES),
  sections: z.array(
    z.object({
      courseSectionId: z.uuid(),
      title: z.string(),
      descriptions: z.string(),
      practices: z.array(PracticeCard),
    }),
  ),
});
export type CourseCard = z.infer<typeof CourseCard>;

export const catalogueContract = {
  practices: base.input(z.void()).output(z.array(PracticeCard)),
  briefing: base.input(z.object({ practiceId: PracticeId })).output(PracticeBriefing),
  courses: base.input(z.void()).output(z.array(CourseCard)),
  coaches: base.input(z.void()).output(z.array(CoachCard)),
  industries: base.input(z.void()).output(z.array(z.object({ id: z.uuid(), name: z.string() }))),
};
