/** One row of the attempt log: a scored word, a grade, or a decision of the learner about a word. */
import { v5 } from 'uuid';
import { z } from 'zod';
import { type Assessment, shortenWord, type WordAssessment } from '../scoring/assessment.ts';

export const ATTEMPT_KINDS = ['attempt', 'graded', 'added', 'learned', 'removed', 'counted'] as const;
/**
 * - `attempt`: a word that was said and scored.
 * - `graded`: the learner finished a review of the word and graded it.
 * - `added`, `learned`, `removed`: the learner put the word on the list, or took it off.
 * - `counted`: attempts that an app without the log counted.
 */
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

export const ATTEMPT_SOURCES = ['session', 'drill', 'review', 'shadowing'] as const;
export type AttemptSource = (typeof ATTEMPT_SOURCES)[number];

export const REVIEW_GRADES = ['again', 'hard', 'good', 'easy'] as const;
export type ReviewGrade = (typeof REVIEW_GRADES)[number];

/** A sound, its accuracy from 0 to 100, and the sound recognised instead; null if not measured. */
const AttemptPhoneme = z.tuple([
  z.string().min(1).max(8),
  z.number().min(0).max(100).nullable(),
  z.string().min(1).max(8).nullable(),
]);
export const AttemptPhonemes = z.array(AttemptPhoneme).max(80);
export type AttemptPhonemes = z.infer<typeof AttemptPhonemes>;

export const MAX_SENTENCE_CHARACTERS: number = 300;

/** The fields of a row that the projections read. */
export interface WordAttempt {
  id: string;
  kind: AttemptKind;
  at: Date;
  /** The learner's calendar day, for example `2026-11-21`. */
  day: string;
  word: string;
  ipa: string;
  /** 0-100; null when the word was not scored. */
  accuracy: number | null;
  phonemes: AttemptPhonemes;
  source: AttemptSource | null;
  recordingId: string | null;
  startMs: number | null;
  endMs: number | null;
  sentence: string | null;
  grade: ReviewGrade | null;
  attempts: number | null;
  countedBy: string | null;
}

/** A scored word, as it is added to the log. */
export interface ScoredWord {
  word: string;
  ipa: string;
  /** 0-100. */
  accuracy: number;
  phonemes: AttemptPhonemes;
  startMs: number;
  endMs: number;
}

/** A rival that is at least this likely is reported as the sound that was said. */
const HEARD_FROM_LIKELIHOOD = 0.5;
const NAMED_BELOW_ACCURACY = 60;

const toAttemptPhonemes = ({ phonemes }: WordAssessment): AttemptPhonemes =>
  phonemes.map(({ phoneme, accuracy, heardAs }) => {
    const [rival] = heardAs ?? [];
    const isNamed =
      rival !== undefined &&
      rival.likelihood >= HEARD_FROM_LIKELIHOOD &&
      accuracy !== null &&
      accuracy < NAMED_BELOW_ACCURACY;
    return [phoneme, accuracy, isNamed ? rival.phoneme : null];
  });

/**
 * Replaces each kind of apostrophe and hyphen with the one on keyboards, so that the length of the text does not
 * change.
 */
export const simplifyPunctuation = (text: string): string =>
  text.replaceAll(/[‘’ʼ`´]/g, "'").replaceAll(/[\u2010\u2011]/g, '-');

/** Normalises equal texts to the same characters. NFKC would split the acute accent, so apostrophes come first. */
export const normalizeSpelling = (text: string): string => simplifyPunctuation(text).normalize('NFKC');

/**
 * The spelling under which a word is listed: lower case, without punctuation at its ends, and with plain apostrophes, hyphens and spaces.
 * Words that an earlier version listed under another spelling keep it.
 */
export const listedSpelling = (word: string): string =>
  normalizeSpelling(word)
    .toLowerCase()
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replaceAll(/\s+/g, ' ');

/** Returns the words of an utterance that were said and scored. Omitted and inserted words do not count as attempts. */
export function scoredWords(assessment: Assessment): ScoredWord[] {
  if (assessment.unusable !== undefined) return [];
  return assessment.words.map(shortenWord).flatMap((word) => {
    const { accuracy, error, startMs, endMs } = word;
    const spelling = listedSpelling(word.word);
    if (accuracy === null || error === 'Omission' || error === 'Insertion' || spelling === '') return [];
    const ipa = word.phonemes
      .map(({ phoneme }) => phoneme)
      .join('')
      .slice(0, 120);
    const span = { startMs: Math.round(startMs), endMs: Math.round(endMs) };
    return [{ word: spelling, ipa, accuracy, phonemes: toAttemptPhonemes(word), ...span }];
  });
}

const CalendarDay = z.iso.date();

/**
 * Returns the name of a field in an attempt from outside that no projection can read, or null. The entity's schema
 * accepts such a field, so that rows stored before this check can still be read, exported and deleted.
 */
export function unusableAttemptField({ day, word }: Readonly<Record<string, unknown>>): 'day' | 'word' | null {
  if (day !== undefined && !CalendarDay.safeParse(day).success) return 'day';
  return word === '' ? 'word' : null;
}

/** A random namespace that separates these ids from those of other UUIDv5 users. */
const NAMESPACE = '2a1f7c1e-4d5f-4b7d-9a0b-6b1f5b0d7c11';

/** Two devices that score the same turn give the attempt the same id. */
export const turnAttemptId = (turnId: string, place: number): string => v5(`attempt/${turnId}/${place}`, NAMESPACE);

/** Two devices that carry the same count into the log create the same row. */
export const countedAttemptId = (of: { userId: string; word: string; countedBy: string; attempts: number }): string =>
  v5(`counted/${of.userId}/${of.word}/${of.countedBy}/${of.attempts}`, NAMESPACE);
