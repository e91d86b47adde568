/** The parts of the catalogue that screens show: cards, briefings and coaches. */
import { CoachId, CoachVoice, ENGLISH_LEVELS, ObjectiveId, PracticeId, Score, UsefulWord } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';

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

/** A coach whom the learner has chosen, and for how long. */
export const CoachAssignment = z.object({
  agentId: CoachId,
  name: z.string(),
  avatarUrl: z.string(),
  from: z.date(),
  /** Null for the current coach. */
  until: z.date().nullable(),
});
export type CoachAssignment = z.infer<typeof CoachAssignment>;

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
  /** Best overall score of the learner's completed sessions; null before the first one. */
  bestScore: Score.nullable(),
  /** A `coming_soon` practice has a card but cannot be opened. */
  state: z.enum(['ready', 'coming_soon']),
  /** Whether the practice has a dialogue, so that it works without a live coach. */
  hasScript: z.boolean(),
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
  /** Whether the practice has a dialogue, so that it works without a live coach. */
  hasScript: z.boolean(),
});
export type PracticeBriefing = z.infer<typeof PracticeBriefing>;

export const catalogueContract = {
  practices: base.input(z.void()).output(z.array(PracticeCard)),
  briefing: base.input(z.object({ practiceId: PracticeId })).output(PracticeBriefing),
  /** What the coach says first to a learner of this level; null if the practice has no written dialogue. */
  firstLine: base.input(z.object({ practiceId: PracticeId })).output(z.object({ line: z.string().nullable() })),
  coaches: base.input(z.void()).output(z.array(CoachCard)),
  industries: base.input(z.void()).output(z.array(z.object({ id: z.uuid(), name: z.string() }))),
};
