/** The events of a coach's reply, and its review of a finished conversation. */
import { z } from 'zod';
import { ObjectiveId } from '../ids.ts';
import { CoachTurn, CompletedObjective, Correction } from './conversation.ts';

export const CoachUtterance = CoachTurn.pick({ text: true, node: true, kind: true });
export type CoachUtterance = z.infer<typeof CoachUtterance>;

/** Events of a streamed reply: text deltas, proofs as they are found, and finally the complete utterance. */
export const CoachEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('words'), text: z.string() }),
  /** `words` is an exact quote from the learner's last turn. */
  z.object({ type: z.literal('proved'), objectiveId: ObjectiveId, words: z.string().min(1).max(400) }),
  /** Sent exactly once, as the last event. `fitted` is true when the coach found a match for what the learner said. */
  z.object({ type: z.literal('line'), line: CoachUtterance, fitted: z.boolean() }),
]);
export type CoachEvent = z.infer<typeof CoachEvent>;

/** A coach's review of a finished conversation. */
export const CoachReview = z.object({
  best: z.string().min(1).max(400),
  fix: z.string().min(1).max(400),
  nextStep: z.string().min(1).max(400),
  /** One or two sentences for the list of past sessions. */
  summary: z.string().min(1).max(600),
  corrections: z.array(Correction).max(8),
  /** Facts about the learner worth remembering for later sessions, one sentence each. */
  remember: z.array(z.string().min(1).max(200)).max(5),
  /** 0-100, how well the learner's English worked; null when the language was not judged. */
  languageQuality: z.number().min(0).max(100).nullable(),
  /** Proofs of objectives that were still open, with the turn that contains the quote; absent when they were not judged at the end. */
  proofs: z.array(CompletedObjective).max(40).optional(),
});
export type CoachReview = z.infer<typeof CoachReview>;
