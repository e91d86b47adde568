/** Computes the card of a word from the word's rows in the attempt log. */
import { z } from 'zod';
import type { PronunciationWord } from '../practice/pronunciation-list.ts';
import type { ReviewGrade } from './word-attempt.ts';
import { totalOf } from './word-counts.ts';
import {
  countsOf,
  schedule,
  weakSounds,
  wentWrongSinceReview,
  WORD_STATUSES,
  WordClip,
  type WordState,
} from './word-state.ts';

const MAX_WORST_PHONEMES = 3;

const Iso = z.iso.datetime();

export const WordCard = z.object({
  word: z.string(),
  ipa: z.string(),
  status: z.enum(WORD_STATUSES),
  /** The sentence in which it last went wrong, or the last one in which it was said; null if it was only said alone. */
  sentence: z.string().nullable(),
  attempts: z.number().int(),
  meanAccuracy: z.number(),
  /** The last accuracies, oldest first. */
  recent: z.array(z.number()),
  /** The sounds of the last weak attempt, worst first. */
  worstPhonemes: z.array(z.string()),
  /** The sound recognised instead of the worst one. */
  heardAs: z.string().nullable(),
  lastPracticedAt: Iso.nullable(),
  lastWrongAt: Iso.nullable(),
  /** The day on which the word graduated or was marked as learned; null otherwise. */
  masteredDay: z.string().nullable(),
  /** When the word is to be reviewed; null when it is not listed. */
  due: Iso.nullable(),
  stability: z.number().nullable(),
  difficulty: z.number().nullable(),
  reviews: z.number().int(),
  latest: WordClip.nullable(),
  best: WordClip.nullable(),
});
export type WordCard = z.infer<typeof WordCard>;

/**
 * Returns the attempt that a card describes: the last one that went wrong, or else the last one; null if the word was
 * never said.
 */
export const describedAttempt = ({ lastWrong, lastSaid }: WordState): WordState['lastWrong'] => lastWrong ?? lastSaid;

/**
 * Returns the weak sounds that a card shows: those of the last attempt that went wrong, or what is known about a word
 * that was never said.
 */
function describedSounds(state: WordState): Pick<WordCard, 'worstPhonemes' | 'heardAs'> {
  const phonemes = describedAttempt(state)?.phonemes ?? state.newestPhonemes;
  const weak = weakSounds({ phonemes });
  const [worst] = weak;
  const shown = state.lastSaid === null ? (state.countedSounds ?? weak) : weak;
  return {
    worstPhonemes: [...new Set(shown)].slice(0, MAX_WORST_PHONEMES),
    heardAs: phonemes.find(([phoneme, , heard]) => phoneme === worst && heard !== null)?.[2] ?? null,
  };
}

/** An attempt that goes wrong after a review can bring a word back earlier than the review does, but never later. */
function dueOf(state: Pick<WordState, 'dueFrom' | 'grades' | 'review'>): string | null {
  const { dueFrom, review } = state;
  if (review === null) return dueFrom;
  if (dueFrom === null || !wentWrongSinceReview(state)) return review.due;
  return Date.parse(dueFrom) < Date.parse(review.due) ? dueFrom : review.due;
}

/** The part of a state that is not dated in the future. Rows can be, if a device's clock was once ahead. */
const upTo = (state: WordState, now: Date): WordState =>
  schedule({
    ...state,
    dueFrom: state.dueFrom !== null && new Date(state.dueFrom) > now ? null : state.dueFrom,
    grades: state.grades.filter(({ at }) => new Date(at) <= now),
  });

/** The reviews of a word that are not dated in the future, oldest first. */
export const reviewsUpTo = (state: WordState, now: Date): { at: Date; grade: ReviewGrade }[] =>
  upTo(state, now).grades.map(({ at, grade }) => ({ at: new Date(at), grade }));

/**
 * When a listed word is due, despite rows from a device whose clock was once ahead. Whatever is dated in the future has
 * happened all the same, but the word cannot wait for it. A word about which nothing else is known is due now. The card
 * itself must be the same on all devices and therefore cannot depend on a clock.
 */
export const dueAsOf = (state: WordState, now: Date): Date => new Date(dueOf(upTo(state, now)) ?? now);

/** Returns the card of a word. */
export function cardOf(state: WordState): WordCard {
  const { status, grades, review } = state;
  return {
    word: state.word,
    ipa: state.lastSaid?.ipa ?? state.anyIpa,
    status,
    sentence: state.wrongSentence ?? state.lastSentence,
    ...totalOf(countsOf(state)),
    recent: state.recent.filter((accuracy) => accuracy !== null),
    ...describedSounds(state),
    lastPracticedAt: state.lastPracticedAt,
    lastWrongAt: state.lastWrong?.at ?? null,
    masteredDay: state.masteredDay,
    due: status === 'listed' ? dueOf(state) : null,
    stability: review?.stability ?? null,
    difficulty: review?.difficulty ?? null,
    reviews: grades.length,
    latest: state.latest,
    best: state.best,
  };
}

/** A word as an entry of `pronunciation_improvement_summary`, for apps that do not know the log; null if it was never listed. */
export function toListEntry(card: WordCard, state: WordState): PronunciationWord | null {
  if (card.status === 'unlisted' || card.lastPracticedAt === null) return null;
  const { word, ipa, attempts, meanAccuracy, worstPhonemes, lastPracticedAt, due, stability, difficulty } = card;
  return {
    word,
    ipa,
    attempts,
    meanAccuracy,
    worstPhonemes,
    lastPracticedAt,
    due,
    stability,
    difficulty,
    counts: countsOf(state),
  };
}

/** The maximum number of words that a list shows and stores. */
export const MAX_LISTED_WORDS: number = 2_000;
