/** Progress: the results of the learner's practice over time. A score that was not measured is null. */
import { ENGLISH_LEVELS, SCORE_DIMENSIONS, SessionId } from '@parley/domain';
import { z } from 'zod';
import { base } from './base.ts';

export const PROGRESS_RANGES = ['week', 'month', 'all'] as const;
export type ProgressRange = (typeof PROGRESS_RANGES)[number];

/** The maximum number of points in a plot; the table and the CSV have every session. */
export const MAX_TREND_POINTS: number = 40;

const Score = z.number().min(0).max(100);
/** The learner's calendar day, for example `2026-11-21`. */
const Day = z.string().length(10);

const TrendPoint = z.object({ sessionId: SessionId, at: z.date(), score: Score, mean: Score });

const Trend = z.object({
  /** Points within the range, oldest first. */
  points: z.array(TrendPoint).max(MAX_TREND_POINTS),
  /** Sessions of the range in which the dimension was measured; there may be fewer points. */
  inRange: z.number().int(),
  /** For all sessions, whatever the range: in how many it was measured, and the means of the latest and first five. */
  measured: z.number().int(),
  latest: Score.nullable(),
  began: Score.nullable(),
});
export type ProgressTrend = z.infer<typeof Trend>;

const Sound = z.object({
  sound: z.string(),
  accuracy: Score,
  /** The number of attempts behind `accuracy`, and of all attempts. */
  attempts: z.number().int(),
  total: z.number().int(),
  began: Score.nullable(),
  /** Words in which the sound went wrong most recently. */
  examples: z.array(z.string()),
});
export type ProgressSound = z.infer<typeof Sound>;

const ActivityDay = z.object({
  day: Day,
  /** More than 0 on each day on which the learner said something in a practice. */
  minutes: z.number(),
  /** Words that were said in practices, drills and reviews. */
  words: z.number().int(),
  /** Whether the streak counts it as practised. */
  isPractised: z.boolean(),
});
export type ActivityDay = z.infer<typeof ActivityDay>;

const ActivityWeek = z.object({ monday: Day, minutes: z.number(), wordsLearned: z.number().int() });
export type ActivityWeek = z.infer<typeof ActivityWeek>;

export const ProgressView = z.object({
  /** For all time, whatever the range. */
  totals: z.object({
    practices: z.number().int(),
    minutes: z.number(),
    wordsLearned: z.number().int(),
    /** The day of the first practice, drill or review; null before it. */
    since: Day.nullable(),
  }),
  today: Day,
  trends: z.record(z.enum(SCORE_DIMENSIONS), Trend),
  /** Weakest first. */
  sounds: z.array(Sound),
  /** Without gaps, oldest first, up to today. */
  days: z.array(ActivityDay),
  weeks: z.array(ActivityWeek),
  level: z.enum(ENGLISH_LEVELS).nullable(),
});
export type ProgressView = z.infer<typeof ProgressView>;

export const SessionScoresRow = z.object({
  sessionId: SessionId,
  at: z.date(),
  /** Null when the practice is no longer on this device. */
  title: z.string().nullable(),
  minutes: z.number(),
  scores: z.record(z.enum(SCORE_DIMENSIONS), Score.nullable()),
  /** The pronunciation score, computed from the dimensions. */
  pron: Score.nullable(),
  /** The percentage of spoken words without an error. */
  words: Score.nullable(),
});
export type SessionScoresRow = z.infer<typeof SessionScoresRow>;

export const progressContract = {
  overview: base.input(z.object({ range: z.enum(PROGRESS_RANGES) })).output(ProgressView),
  /** Every finished session with its scores, newest first, for the table and the CSV. */
  sessions: base.input(z.object({ range: z.enum(PROGRESS_RANGES) })).output(z.array(SessionScoresRow)),
};
