/** Computes the scores a learner sees from individual measurements. All weights of the business rules are defined here. */
import type { Assessment, UnusableReason, WordAssessment } from './assessment.ts';

export const SCORE_DIMENSIONS = ['accuracy', 'fluency', 'prosody', 'completeness'] as const;
export type ScoreDimension = (typeof SCORE_DIMENSIONS)[number];
export type DimensionScores = Record<ScoreDimension, number | null>;

/** Weights for the measured dimensions in ascending order of score, by the number of dimensions measured. */
const PRON_WEIGHTS_BY_COUNT: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [0.6, 0.4],
  3: [0.6, 0.2, 0.2],
  4: [0.4, 0.2, 0.2, 0.2],
};

/** Prosody is only meaningful from about this many words. */
export const MIN_WORDS_FOR_PROSODY: number = 5;

/** A session needs at least this much speech to be scored. */
export const MIN_TURNS_TO_SCORE: number = 3;
export const MIN_SPEECH_MS_TO_SCORE: number = 20_000;

/** Limits a score to 0-100 and rounds it to one decimal. */
export const roundScore = (score: number): number => Math.round(Math.min(100, Math.max(0, score)) * 10) / 10;

const withoutNulls = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/**
 * The share of each measured dimension in the pronunciation score, in which the weakest weighs most. Null for a
 * dimension that was not measured.
 */
export function pronWeights(dimensions: DimensionScores): Record<ScoreDimension, number | null> {
  const measured = SCORE_DIMENSIONS.filter((name) => dimensions[name] !== null);
  const sorted = measured.toSorted((a, b) => (dimensions[a] ?? 0) - (dimensions[b] ?? 0));
  const weights = PRON_WEIGHTS_BY_COUNT[sorted.length];
  const weightOf = (name: ScoreDimension): number | null => weights?.[sorted.indexOf(name)] ?? null;
  return {
    accuracy: weightOf('accuracy'),
    fluency: weightOf('fluency'),
    prosody: weightOf('prosody'),
    completeness: weightOf('completeness'),
  };
}

/** The pronunciation score, in which the weakest dimension weighs most; null when nothing was measured. */
export function pronScore(dimensions: DimensionScores): number | null {
  const weights = pronWeights(dimensions);
  if (withoutNulls(Object.values(weights)).length === 0) return null;
  return roundScore(SCORE_DIMENSIONS.reduce((sum, name) => sum + (dimensions[name] ?? 0) * (weights[name] ?? 0), 0));
}

/** The parts of the overall score of a spoken session: 0.7 pronunciation and 0.3 objectives. */
export const PRON_SHARE: number = 0.7;

/**
 * Free speech has no reference sentence, so a mismatch means that the transcript is wrong. Stored and synced for app
 * versions that do not know causes, and not shown by this one, so the text must not change.
 */
const FREE_SPEECH_HINTS: Partial<Record<UnusableReason, string>> = {
  not_the_text: 'The sound and these words do not match well enough to score them fairly, so there is no score.',
  too_short: 'That was too short to score fairly, so there is no score.',
};

/** Adjusts the assessment of free speech, whose reference text is its own transcript: completeness cannot be measured. */
export function rescoreFreeSpeech(assessment: Assessment): Assessment {
  const dimensions = { ...assessment, completeness: null };
  const rescored = { ...dimensions, pron: pronScore(dimensions) };
  const { unusable } = assessment;
  if (unusable === undefined) return rescored;
  const hint = FREE_SPEECH_HINTS[unusable.reason];
  return hint === undefined
    ? rescored
    : { ...rescored, unusable: { reason: unusable.reason, cause: 'free_speech', hint } };
}

/** The weighted mean of the measured values; null when no measured value has weight. */
export function weightedMean(values: readonly { value: number | null; weight: number }[]): number | null {
  let sum = 0;
  let weightSum = 0;
  for (const { value, weight } of values) {
    if (value === null || weight <= 0) continue;
    sum += value * weight;
    weightSum += weight;
  }
  return weightSum === 0 ? null : roundScore(sum / weightSum);
}

const isSpoken = (word: WordAssessment): boolean => word.error !== 'Omission';
const isReference = (word: WordAssessment): boolean => word.error !== 'Insertion';

const spokenWordCount = (assessment: Assessment): number => assessment.words.filter(isSpoken).length;
const referenceWordCount = (assessment: Assessment): number => assessment.words.filter(isReference).length;

/** Milliseconds from the start of the first spoken word to the end of the last. */
export function speakingMs(assessment: Assessment): number {
  const spoken = assessment.words.filter(isSpoken);
  const first = spoken[0];
  const last = spoken.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(0, last.endMs - first.startMs);
}

/** The percentage of spoken words without an error, 0-100; null when no word was scored. */
export function wordsScore(assessments: readonly Assessment[]): number | null {
  const spoken = assessments.flatMap((a) => a.words).filter((word) => isSpoken(word) && word.accuracy !== null);
  if (spoken.length === 0) return null;
  return roundScore((spoken.filter((word) => word.error === 'None').length / spoken.length) * 100);
}

export interface SessionScores extends DimensionScores {
  pron: number | null;
  words: number | null;
  /** Audio sessions: 0.7 pronunciation + 0.3 share of objectives. Text sessions: share of objectives. */
  overall: number | null;
}

export interface SessionToScore {
  communicationStyle: 'text' | 'audio';
  /** One per utterance. Unusable assessments may be included and are ignored. */
  assessments: readonly Assessment[];
  objectivesDone: number;
  objectivesTotal: number;
  /** 0-100 when a cloud coach judged the language; null otherwise. */
  languageQuality: number | null;
}

/** Scores a whole session, weighting each dimension as the business rules require. */
export function scoreSession(session: SessionToScore): SessionScores {
  const objectiveShare =
    session.objectivesTotal === 0 ? null : roundScore((session.objectivesDone / session.objectivesTotal) * 100);
  if (session.communicationStyle === 'text') {
    const overall = weightedMean([
      { value: objectiveShare, weight: 1 },
      { value: session.languageQuality, weight: 1 },
    ]);
    return { accuracy: null, fluency: null, prosody: null, completeness: null, pron: null, words: null, overall };
  }
  const usable = session.assessments.filter((a) => a.unusable === undefined);
  const dimensions: DimensionScores = {
    accuracy: weightedMean(usable.map((a) => ({ value: a.accuracy, weight: spokenWordCount(a) }))),
    fluency: weightedMean(usable.map((a) => ({ value: a.fluency, weight: speakingMs(a) }))),
    prosody: weightedMean(
      usable
        .filter((a) => spokenWordCount(a) >= MIN_WORDS_FOR_PROSODY)
        .map((a) => ({ value: a.prosody, weight: spokenWordCount(a) })),
    ),
    completeness: weightedMean(usable.map((a) => ({ value: a.completeness, weight: referenceWordCount(a) }))),
  };
  const pron = pronScore(dimensions);
  return {
    ...dimensions,
    pron,
    words: wordsScore(usable),
    overall: pron === null ? null : roundScore(PRON_SHARE * pron + (1 - PRON_SHARE) * (objectiveShare ?? pron)),
  };
}
