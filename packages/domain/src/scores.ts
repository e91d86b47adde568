/** How single measurements become the scores a learner sees: every weight of the business rules, once. */
import type { Assessment, UnusableReason, WordAssessment } from './assessment.ts';

export const SCORE_DIMENSIONS = ['accuracy', 'fluency', 'prosody', 'completeness'] as const;
export type ScoreDimension = (typeof SCORE_DIMENSIONS)[number];
export type DimensionScores = Record<ScoreDimension, number | null>;

/** Weights for the measured dimensions sorted from low to high, by how many were measured. */
const PRON_WEIGHTS_BY_COUNT: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [0.6, 0.4],
  3: [0.6, 0.2, 0.2],
  4: [0.4, 0.2, 0.2, 0.2],
};

/** Prosody says something only from about this many words on. */
export const MIN_WORDS_FOR_PROSODY: number = 5;

/** A session is scored by voice from this much speech on. */
export const MIN_TURNS_TO_SCORE: number = 3;
export const MIN_SPEECH_MS_TO_SCORE: number = 20_000;

export const roundScore = (score: number): number => Math.round(Math.min(100, Math.max(0, score)) * 10) / 10;

const measured = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** The pronunciation score: the weakest dimension weighs most; null where nothing was measured. */
export function pronScore(dimensions: DimensionScores): number | null {
  const sorted = measured(SCORE_DIMENSIONS.map((name) => dimensions[name])).toSorted((a, b) => a - b);
  const weights = PRON_WEIGHTS_BY_COUNT[sorted.length];
  if (weights === undefined) return null;
  return roundScore(sorted.reduce((sum, score, index) => sum + score * (weights[index] ?? 0), 0));
}

/** Whoever spoke freely had no sentence to read: what does not fit is the transcript. */
const FREE_SPEECH_HINTS: Partial<Record<UnusableReason, string>> = {
  not_the_text: 'The sound and these words do not match well enough to score them fairly, so there is no score.',
  too_short: 'That was too short to score fairly, so there is no score.',
};

/** Speech without a reference, whose text is what was heard: nobody knows what was left out of it, so no score says so. */
export function ofFreeSpeech(assessment: Assessment): Assessment {
  const dimensions = { ...assessment, completeness: null };
  const free = { ...dimensions, pron: pronScore(dimensions) };
  const { unusable } = assessment;
  if (unusable === undefined) return free;
  return { ...free, unusable: { ...unusable, hint: FREE_SPEECH_HINTS[unusable.reason] ?? unusable.hint } };
}

/** Mean of the measured values under their weights; null when nothing with weight was measured. */
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

const wasSpoken = (word: WordAssessment): boolean => word.error !== 'Omission';
const isReference = (word: WordAssessment): boolean => word.error !== 'Insertion';

const spokenWordCount = (assessment: Assessment): number => assessment.words.filter(wasSpoken).length;
const referenceWordCount = (assessment: Assessment): number => assessment.words.filter(isReference).length;

/** Speaking time: from the first to the last spoken word; milliseconds. */
export function speakingMs(assessment: Assessment): number {
  const spoken = assessment.words.filter(wasSpoken);
  const first = spoken[0];
  const last = spoken.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(0, last.endMs - first.startMs);
}

/** Share of the learner's spoken words with no error, 0-100; null where no word was scored. */
export function wordsScore(assessments: readonly Assessment[]): number | null {
  const spoken = assessments.flatMap((a) => a.words).filter((word) => wasSpoken(word) && word.accuracy !== null);
  if (spoken.length === 0) return null;
  return roundScore((spoken.filter((word) => word.error === 'None').length / spoken.length) * 100);
}

export interface SessionScores extends DimensionScores {
  pron: number | null;
  words: number | null;
  /** 0.7 pronunciation + 0.3 share of objectives for audio; share of objectives for text. */
  overall: number | null;
}

export interface SessionToScore {
  communicationStyle: 'text' | 'audio';
  /** One an utterance, unusable ones included: they are left out here. */
  assessments: readonly Assessment[];
  objectivesDone: number;
  objectivesTotal: number;
  /** Language quality 0-100 where a judge measured it (cloud coach); null otherwise. */
  languageQuality: number | null;
}

/** Scores of a whole session; each dimension is weighted as the business rules say. */
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
    overall: pron === null ? null : roundScore(0.7 * pron + 0.3 * (objectiveShare ?? pron)),
  };
}
