/** The transcript of a session and its outcome: the JSON columns of `practice_history`. */
import { z } from 'zod';
import { Assessment } from '../scoring/assessment.ts';
import { TURN_KINDS, TURN_MODES } from '../enumerations.ts';
import { ObjectiveId, RecordingId, TurnId } from '../ids.ts';

const At = z.iso.datetime();
const Text = z.string().min(1).max(4_000);
/**
 * Numbers the branches when two offline devices continued from the same turn: 1 for the second branch, 2 for the third. Absent for the
 * first branch and for sessions without branches.
 */
const Continuation = z.number().int().min(1).optional();

export const CoachTurn = z.object({
  role: z.literal('coach'),
  turnId: TurnId,
  at: At,
  text: Text,
  /** The dialogue node of this utterance; null when a language model produced it. */
  node: z.string().max(200).nullable(),
  kind: z.enum(TURN_KINDS),
  continuation: Continuation,
});
export type CoachTurn = z.infer<typeof CoachTurn>;

export const LearnerTurn = z.object({
  role: z.literal('learner'),
  turnId: TurnId,
  at: At,
  /** The transcript, or the typed text. Empty when the speech could not be transcribed; the recording is kept. */
  text: z.string().max(4_000),
  mode: z.enum(TURN_MODES),
  node: z.string().max(200).nullable(),
  /** Whether the coach found a match for it in the dialogue. */
  fitted: z.boolean(),
  recordingId: RecordingId.nullable(),
  /** Null for typed turns. The reason that audio is unusable is part of the assessment. */
  assessment: Assessment.nullable(),
  /** The highest hint level opened: 0 none, 1 keyword, 2 opening, 3 whole sentence. */
  hintLevel: z.number().int().min(0).max(3),
  continuation: Continuation,
});
export type LearnerTurn = z.infer<typeof LearnerTurn>;

export const Turn = z.discriminatedUnion('role', [CoachTurn, LearnerTurn]);
export type Turn = z.infer<typeof Turn>;

/** The maximum number of turns in a session, about eight hours of conversation. */
export const MAX_TURNS_PER_SESSION = 2_000;

/**
 * The maximum size of a session's turns with their assessments: seven hours in which the learner alone speaks, or about
 * 3,000 spoken answers.
 */
export const MAX_SESSION_BYTES: number = 8 * 1_048_576;

export const Conversation = z.array(Turn).max(MAX_TURNS_PER_SESSION);
export type Conversation = z.infer<typeof Conversation>;

/** A completed objective, with a quote from the learner as proof. */
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

/** A mistake in the learner's English: the quote, a better version, and one sentence of explanation, or a point that says as much. */
export const Correction = z.object({
  /** An exact quote from the transcript. */
  said: z.string().min(1).max(400),
  better: z.string().min(1).max(400),
  why: z.string().min(1).max(400),
});
export type Correction = z.infer<typeof Correction>;

/** Feedback on a session: three sentences and up to five words. */
export const Feedback = z.object({
  best: z.string().min(1).max(400),
  fix: z.string().min(1).max(400),
  nextStep: z.string().min(1).max(400),
  wordsToTrain: z.array(WordToTrain).max(5),
  /**
   * From a coach, or from rules when no coach judged the language. Absent when there are none and no coach judged it.
   */
  corrections: z.array(Correction).max(8).optional(),
  /** 0-100, from a coach; null when there was too little speech to judge, and absent when no coach judged the language. */
  languageQuality: z.number().min(0).max(100).nullable().optional(),
});
export type Feedback = z.infer<typeof Feedback>;
