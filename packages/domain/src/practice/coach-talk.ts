/** What a coach says: while it answers, and of a conversation that is over. */
import { z } from 'zod';
import { ObjectiveId } from '../ids.ts';
import { CoachTurn, CompletedObjective, Correction } from './conversation.ts';

export const CoachLine = CoachTurn.pick({ text: true, node: true, kind: true });
export type CoachLine = z.infer<typeof CoachLine>;

/** What comes while a coach answers: its words piece by piece, proofs when they are found, and at the end the whole line. */
export const CoachEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('words'), text: z.string() }),
  /** Words that the learner said: they stand in the last turn, letter by letter. */
  z.object({ type: z.literal('proved'), objectiveId: ObjectiveId, words: z.string().min(1).max(400) }),
  /** Always the last, and once. `fitted`: whether the coach found a place for what the learner said. */
  z.object({ type: z.literal('line'), line: CoachLine, fitted: z.boolean() }),
]);
export type CoachEvent = z.infer<typeof CoachEvent>;

/** What a coach says of a conversation that is over. */
export const CoachReview = z.object({
  best: z.string().min(1).max(400),
  fix: z.string().min(1).max(400),
  nextStep: z.string().min(1).max(400),
  /** One or two sentences for the list of past sessions. */
  summary: z.string().min(1).max(600),
  corrections: z.array(Correction).max(8),
  /** What is worth knowing next time, a line each, about the learner and in plain words. */
  remember: z.array(z.string().min(1).max(200)).max(5),
  /** 0-100, how well the learner's English served them; null when nobody judged it. */
  languageQuality: z.number().min(0).max(100).nullable(),
  /** Of objectives that were still open, by the turn in which the words stand; absent when nobody judged them at the end. */
  proofs: z.array(CompletedObjective).max(40).optional(),
});
export type CoachReview = z.infer<typeof CoachReview>;
