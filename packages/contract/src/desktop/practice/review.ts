/** Review: the learner's own mispronounced words, on a schedule. */
import { RecordingId, REVIEW_GRADES, SessionId, WORD_STATUSES } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';
import { TypedText } from '../typed-text.ts';

/** The cards of one review. */
export const REVIEW_SESSION_CARDS: number = 10;

export const ReviewClip = z.object({
  recordingId: RecordingId,
  startMs: z.number().int(),
  endMs: z.number().int(),
  accuracy: z.number(),
  at: z.date(),
  /** False if the recording was made on another device, and the server has no copy of it. */
  isHere: z.boolean(),
});
export type ReviewClip = z.infer<typeof ReviewClip>;

/** The sounds of an earlier attempt, to compare the next one with. */
const EarlierAttempt = z.object({
  at: z.date(),
  phonemes: z.array(z.object({ phoneme: z.string(), accuracy: z.number().nullable() })),
});
export type EarlierAttempt = z.infer<typeof EarlierAttempt>;

export const ReviewWord = z.object({
  word: z.string(),
  ipa: z.string(),
  status: z.enum(WORD_STATUSES),
  /** The sentence in which it went wrong; null for a word that was added by hand or said in the learner's own text. */
  sentence: z.string().nullable(),
  attempts: z.number().int(),
  meanAccuracy: z.number(),
  /** The last accuracies, oldest first. */
  recent: z.array(z.number()),
  worstPhonemes: z.array(z.string()),
  heardAs: z.string().nullable(),
  /** The attempt that went wrong last, or else the last one; null if the word was never said. */
  before: EarlierAttempt.nullable(),
  due: z.date().nullable(),
  /** The days until the next review for each grade. */
  daysByGrade: z.record(z.enum(REVIEW_GRADES), z.number().int()),
  latest: ReviewClip.nullable(),
  best: ReviewClip.nullable(),
});
export type ReviewWord = z.infer<typeof ReviewWord>;

/** A word in a list. Only its card has what takes reading all of the word's attempts. */
export const ListedWord = ReviewWord.omit({ before: true, daysByGrade: true });
export type ListedWord = z.infer<typeof ListedWord>;

export const DueReview = z.object({
  cards: z.array(ReviewWord),
  total: z.number().int(),
  reviewedToday: z.number().int(),
});
export type DueReview = z.infer<typeof DueReview>;

const Word = TypedText.trim().min(1).max(80);
/** The row of the attempt log in which something was stored. */
const StoredAttempt = z.object({ attemptId: z.uuid() });

export const reviewContract = {
  due: base.input(z.void()).output(DueReview),
  /** Cards of chosen words, due or not; words that are not on the list are left out. */
  cards: base
    .input(z.object({ words: z.array(Word).min(1).max(REVIEW_SESSION_CARDS) }))
    .output(z.object({ cards: z.array(ReviewWord) })),
  /** The words that went wrong in a session and are on the list, in the order of a review. */
  ofSession: base.input(z.object({ sessionId: SessionId })).output(z.object({ words: z.array(ListedWord) })),
  words: base
    .input(z.object({ search: z.string().max(80) }))
    .output(z.object({ words: z.array(ListedWord), total: z.number().int() })),
  /**
   * Stores the grade of a finished card, and returns when the word comes back: null if it has left the list. `undo`
   * reverses it.
   */
  grade: base
    .input(z.object({ word: Word, grade: z.enum(REVIEW_GRADES), accuracy: z.number().min(0).max(100) }))
    .output(StoredAttempt.extend({ due: z.date().nullable() })),
  /** Undoes a grade, an added word or a mark, by the id under which it was stored. */
  undo: base.input(StoredAttempt).output(z.void()),
  add: base.input(z.object({ word: Word, sentence: TypedText.max(300).nullable() })).output(StoredAttempt),
  mark: base.input(z.object({ word: Word, as: z.enum(['learned', 'removed']) })).output(StoredAttempt),
};
