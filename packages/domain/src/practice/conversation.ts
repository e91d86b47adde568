/** What was said in a practice, turn by turn, and what came of it: the JSON columns of `practice_history`. */
import { z } from 'zod';
import { Assessment } from '../assessment.ts';
import { TURN_KINDS, TURN_MODES } from '../enumerations.ts';
import { ObjectiveId, RecordingId, TurnId } from '../ids.ts';

const At = z.iso.datetime();
const Text = z.string().min(1).max(4_000);
/**
 * Set where two devices went on from the same turn while apart: 1 for the turns of the second continuation, 2 for the third. Left out for
 * the first, and in sessions that only one device went on with.
 */
const Continuation = z.number().int().min(1).optional();

export const CoachTurn = z.object({
  role: z.literal('coach'),
  turnId: TurnId,
  at: At,
  text: Text,
  /** Node of the dialogue that this line belongs to; null when a cloud coach said it. */
  node: z.string().max(200).nullable(),
  kind: z.enum(TURN_KINDS),
  continuation: Continuation,
});
export type CoachTurn = z.infer<typeof CoachTurn>;

export const LearnerTurn = z.object({
  role: z.literal('learner'),
  turnId: TurnId,
  at: At,
  /** What was heard, or what was typed. Empty where it was spoken, and nobody could write it down: there is its recording. */
  text: z.string().max(4_000),
  mode: z.enum(TURN_MODES),
  node: z.string().max(200).nullable(),
  /** Whether the coach found a place for it in the dialogue. */
  fitted: z.boolean(),
  recordingId: RecordingId.nullable(),
  /** Null for typed turns; unusable audio has its reason inside. */
  assessment: Assessment.nullable(),
  /** Highest rung of the hint ladder that was opened: 0 none, 1 keyword, 2 opening, 3 whole sentence. */
  hintLevel: z.number().int().min(0).max(3),
  continuation: Continuation,
});
export type LearnerTurn = z.infer<typeof LearnerTurn>;

export const Turn = z.discriminatedUnion('role', [CoachTurn, LearnerTurn]);
export type Turn = z.infer<typeof Turn>;

/** A session has no more turns than this: some eight hours of conversation. */
export const MAX_TURNS_PER_SESSION = 2_000;

export const Conversation = z.array(Turn).max(MAX_TURNS_PER_SESSION);
export type Conversation = z.infer<typeof Conversation>;

/** An objective that was reached, with the learner's own words as the proof. */
export const CompletedObjective = z.object({
  objectiveId: ObjectiveId,
  turnId: TurnId,
  words: z.string().min(1).max(400),
});
export type CompletedObjective = z.infer<typeof CompletedObjective>;

export const WordToTrain = z.object({
  word: z.string().min(1).max(80),
  ipa: z.string().max(120),
  accuracy: z.number().min(0).max(100),
  worstPhonemes: z.array(z.string().max(40)).max(10),
});
export type WordToTrain = z.infer<typeof WordToTrain>;

/** Something that a learner said, how it is better said, and why in a sentence. */
export const Correction = z.object({
  /** As it stands in the transcript. */
  said: z.string().min(1).max(400),
  better: z.string().min(1).max(400),
  why: z.string().min(1).max(400),
});
export type Correction = z.infer<typeof Correction>;

/** Three sentences and up to five words: what a learner takes away. */
export const Feedback = z.object({
  best: z.string().min(1).max(400),
  fix: z.string().min(1).max(400),
  nextStep: z.string().min(1).max(400),
  wordsToTrain: z.array(WordToTrain).max(5),
  /** Of a coach who judged the language; left out where nobody did. */
  corrections: z.array(Correction).max(8).optional(),
  /** 0-100, by the same coach; null where they found too little to judge by. */
  languageQuality: z.number().min(0).max(100).nullable().optional(),
});
export type Feedback = z.infer<typeof Feedback>;
