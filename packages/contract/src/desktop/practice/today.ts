/** The contents of the first screen: an unfinished session, a suggestion, courses, words to train and the week. */
import { ENGLISH_LEVELS, PracticeId, SessionId, WordToTrain } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';
import { AssignedCourse, CourseCard } from '../content/courses.ts';
import { HistoryItem } from './practice.ts';

/** Why a practice is suggested; the screen says it in the learner's language. */
export const SuggestionReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('first') }),
  /** The learner has chosen no level. */
  z.object({ code: z.literal('new') }),
  z.object({ code: z.literal('new_at_level') }),
  z.object({ code: z.literal('new_at_other_level'), level: z.enum(ENGLISH_LEVELS) }),
  /** Words in the practice that contain a sound the learner is working on. */
  z.object({ code: z.literal('weak_sound'), sound: z.string(), words: z.array(z.string()).length(2) }),
  z.object({ code: z.literal('industry'), industry: z.string() }),
  z.object({ code: z.literal('improve'), bestScore: z.number().int() }),
  /** The learner has done every practice, and this one at that time. */
  z.object({ code: z.literal('again'), lastAt: z.date() }),
]);
export type SuggestionReason = z.infer<typeof SuggestionReason>;

export const TodayView = z.object({
  unfinished: HistoryItem.extend({
    /** What the coach said last; null if the learner spoke last or nobody has spoken. */
    coachUtterance: z.string().nullable(),
    /** Left for a day or longer, so that finishing it is offered as well. */
    isIdle: z.boolean(),
  }).nullable(),
  suggested: z
    .object({
      practiceId: PracticeId,
      reason: SuggestionReason,
      /** What the coach says first; null when the practice has no written dialogue. */
      firstLine: z.string().nullable(),
    })
    .nullable(),
  /** Another level, after consistent sessions; null when there is no reason to change. */
  levelSuggestion: z
    .object({ from: z.enum(ENGLISH_LEVELS), to: z.enum(ENGLISH_LEVELS), newestSessionId: SessionId })
    .nullable(),
  /** The courses that the learner has joined but not finished, most recently practised first. */
  courses: z.array(CourseCard),
  /** The assignments of the learner's classes: unfinished courses first, sorted by due date. */
  assignments: z.array(AssignedCourse),
  wordsToTrain: z.array(WordToTrain),
  /** Words whose review is due by the end of the day. */
  wordsDue: z.number().int(),
  /** False until the learner has spoken or written in a session, or reviewed a word. */
  hasPractised: z.boolean(),
  minutesThisWeek: z.number().int(),
  /** The minutes of each day of this week, from Monday to Sunday, with one decimal. */
  weekDays: z.array(z.object({ day: z.iso.date(), minutes: z.number() })),
  streakDays: z.number().int(),
});
export type TodayView = z.infer<typeof TodayView>;

export const todayContract = {
  overview: base.input(z.void()).output(TodayView),
};
