/**
 * A point of feedback: a code with the measured values behind it. A row stores the point, never a sentence, so that
 * each reader gets it in their own language and can listen to the passage that it is about.
 */
import { z } from 'zod';
import { PRACTICE_DIFFICULTIES } from '../enumerations.ts';
import { ObjectiveId, PracticeId, TurnId } from '../ids.ts';
import { UNUSABLE_CAUSES, UNUSABLE_REASONS } from '../scoring/assessment.ts';
import { SCORE_DIMENSIONS } from '../scoring/scores.ts';
import { parseJsonOrNull } from '../parse-json.ts';

const Whole = z.number().int().min(0);
const Percent = z.number().int().min(0).max(100);
const Sound = z.string().min(1).max(8);
/** Longer words are rare, and a point must fit into its column. */
export const MAX_POINT_WORD: number = 60;
const Word = z.string().min(1).max(MAX_POINT_WORD);
const Words = z.array(Word).min(1).max(3);
/** The passage of the turn's recording in which it can be heard. */
const place = { turnId: TurnId, startMs: Whole, endMs: Whole };
const dimension = { dimension: z.enum(SCORE_DIMENSIONS), score: Percent };

/** Frequent mistakes that are found without a language model. */
export const GRAMMAR_RULES = [
  'agreement',
  'agree',
  'base_form',
  'participle',
  'since_for',
  'comparative',
  'uncountable',
  'no_to',
  'with_to',
  'preposition',
  'past',
  'many',
  'tell',
  'ing',
  'plural',
  'age',
  'article',
] as const;
export type GrammarRule = (typeof GRAMMAR_RULES)[number];

export const FeedbackPoint = z.discriminatedUnion('code', [
  // Something that went well.
  z.object({ code: z.literal('clear_sentence'), ...place, score: Percent, isEveryWordClear: z.boolean() }),
  /** Rows from older apps have no passage. */
  z.object({ code: z.literal('steady'), turns: Whole, score: Percent, ...z.object(place).partial().shape }),
  z.object({ code: z.literal('best_dimension'), ...dimension }),
  z.object({ code: z.literal('all_objectives'), total: Whole }),
  z.object({ code: z.literal('objective_reached'), objectiveId: ObjectiveId, turnId: TurnId.nullable() }),
  z.object({ code: z.literal('kept_going'), turns: Whole }),
  // Something to fix.
  z.object({
    code: z.literal('sound'),
    ...place,
    word: Word,
    sound: Sound,
    /** The sound recognised instead; null if none was clearly more likely. */
    heard: Sound.nullable(),
    score: Percent,
    /** Other words in which the same sound was weak. */
    also: z.array(Word).max(3),
  }),
  z.object({ code: z.literal('word'), ...place, word: Word, score: Percent }),
  z.object({ code: z.literal('pause'), ...place, word: Word, pauseMs: Whole }),
  z.object({ code: z.literal('flat'), ...place, semitones: z.number().min(0).max(48) }),
  z.object({ code: z.literal('left_out'), turnId: TurnId, words: Words }),
  z.object({ code: z.literal('weak_sentence'), ...place, ...dimension }),
  z.object({ code: z.literal('lowest_dimension'), ...dimension }),
  /** `index` is the position in the feedback's corrections. */
  z.object({ code: z.literal('correction'), index: Whole }),
  /** Explains why a wording is better; stored as the explanation of a rule-based correction. */
  z.object({ code: z.literal('grammar'), rule: z.enum(GRAMMAR_RULES) }),
  z.object({
    code: z.literal('not_scored'),
    reason: z.enum(UNUSABLE_REASONS),
    cause: z.enum(UNUSABLE_CAUSES).nullable(),
  }),
  z.object({ code: z.literal('objective_open'), objectiveId: ObjectiveId, others: Whole }),
  z.object({ code: z.literal('hints'), turns: Whole }),
  z.object({ code: z.literal('nothing_to_fix') }),
  z.object({ code: z.literal('not_measured') }),
  z.object({ code: z.literal('nothing_said') }),
  // The next step.
  z.object({ code: z.literal('review_words'), words: Words }),
  z.object({ code: z.literal('drill_sound'), sound: Sound }),
  /** Another practice, and two of its words that contain the sound. */
  z.object({
    code: z.literal('practice_with_sound'),
    sound: Sound,
    practiceId: PracticeId,
    words: z.array(Word).length(2),
  }),
  z.object({ code: z.literal('shadow'), turnId: TurnId }),
  z.object({ code: z.literal('say_better'), index: Whole }),
  z.object({ code: z.literal('again'), objectiveId: ObjectiveId.nullable() }),
  z.object({ code: z.literal('by_voice') }),
  z.object({ code: z.literal('harder'), difficulty: z.enum(PRACTICE_DIFFICULTIES) }),
  z.object({ code: z.literal('another_practice') }),
  z.object({ code: z.literal('check_microphone') }),
  // The summary in the list of past sessions.
  z.object({
    code: z.literal('session'),
    turns: Whole,
    done: Whole,
    total: Whole,
    /** False when a coach could not be reached to judge the objectives. */
    isJudged: z.boolean(),
    pron: Percent.nullable(),
  }),
]);
export type FeedbackPoint = z.infer<typeof FeedbackPoint>;
export type FeedbackCode = FeedbackPoint['code'];

const VERSION = 1;
const Stored = z.looseObject({ v: z.literal(VERSION), coach: z.string().max(400).optional() });

/** The content of a feedback text column: a point, and a model coach's own words about it. */
export interface FeedbackText {
  point: FeedbackPoint | null;
  /** A sentence of the coach, or one stored by an older version of the app; null if there is none. */
  text: string | null;
}

/** The maximum length of the columns. */
const MAX_STORED = 400;

/**
 * Writes a point into a text column. If it is too long, the coach's words, and the last examples of a sound, are left
 * out.
 */
export function storeFeedbackPoint(point: FeedbackPoint, coachText: string | null = null): string {
  const stored = JSON.stringify({ v: VERSION, ...point });
  if (stored.length > MAX_STORED && point.code === 'sound' && point.also.length > 0)
    return storeFeedbackPoint({ ...point, also: point.also.slice(0, -1) }, coachText);
  if (coachText === null) return stored;
  const withText = JSON.stringify({ v: VERSION, ...point, coach: coachText });
  return withText.length <= MAX_STORED ? withText : stored;
}

/** Reads a text column. A sentence from an older version is returned unchanged; a code from a newer version is null. */
export function readFeedbackText(stored: string): FeedbackText {
  if (!stored.startsWith('{')) return { point: null, text: stored };
  const value = parseJsonOrNull(stored);
  const known = Stored.safeParse(value);
  if (!known.success) return { point: null, text: value === null ? stored : null };
  const point = FeedbackPoint.safeParse(value);
  return { point: point.success ? point.data : null, text: known.data.coach ?? null };
}
