/** Computes what the learner's list knows about one word from the word's rows of the attempt log. */
import { z } from 'zod';
import type { PronunciationWord } from '../practice/pronunciation-list.ts';
import { replayReviews } from './review-schedule.ts';
import { listedSpelling, type ReviewGrade, type WordAttempt } from './word-attempt.ts';
import { countsOf, totalOf } from './word-counts.ts';

/** A word is listed when its accuracy is below this. */
export const TRAIN_WORD_BELOW: number = 60;
/** A word is also listed when the same sound in it was below this twice. */
export const TRAIN_PHONEME_BELOW: number = 50;
const LISTED_WEAK_SOUNDS = 2;
/** A word is mastered after this many reviews at or above the passing score, on different days. */
const GRADUATES_AFTER_DAYS = 2;
export const REVIEW_PASSED_FROM: number = 80;
const RECENT_ATTEMPTS = 10;
const MAX_WORST_PHONEMES = 3;
/** A list of an app without the log holds words that have long been clear; only the others are listed again. */
const COUNTED_LISTED_BELOW = 80;

/**
 * - `unlisted`: said, but never wrong enough to be listed.
 * - `listed`: to be reviewed.
 * - `graduated`: two good reviews on different days.
 * - `learned`, `removed`: taken off the list by the learner.
 */
export const WORD_STATUSES = ['unlisted', 'listed', 'graduated', 'learned', 'removed'] as const;
export type WordStatus = (typeof WORD_STATUSES)[number];

const Iso = z.iso.datetime();

/** Where the learner's own voice can be heard. */
export const WordClip = z.object({
  recordingId: z.uuid(),
  startMs: z.number().int().min(0),
  endMs: z.number().int().min(0),
  accuracy: z.number().min(0).max(100),
  at: Iso,
});
export type WordClip = z.infer<typeof WordClip>;

export const WordCard = z.object({
  word: z.string(),
  ipa: z.string(),
  status: z.enum(WORD_STATUSES),
  /** The sentence in which it last went wrong, or the last one in which it was said; null when it was only said alone. */
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
  /** The day on which the word graduated or was marked as learned; null while it is neither. */
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

/** What follows from an attempt comes after it, even in the same millisecond. */
const RANK_BY_KIND = { counted: 0, attempt: 1, graded: 2, added: 3, learned: 4, removed: 5 } as const;

/** Every device replays a word's rows in this order. */
const inOrder = (a: WordAttempt, b: WordAttempt): number =>
  a.at.getTime() - b.at.getTime() ||
  RANK_BY_KIND[a.kind] - RANK_BY_KIND[b.kind] ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

interface Progress {
  status: WordStatus;
  /** When the word was listed, or went wrong after its last review. */
  dueFrom: Date | null;
  lowSounds: Map<string, number>;
  passedDays: Set<string>;
  masteredDay: string | null;
}

const weakSounds = ({ phonemes }: Pick<WordAttempt, 'phonemes'>): string[] =>
  phonemes
    .filter(([, accuracy]) => accuracy !== null && accuracy < TRAIN_PHONEME_BELOW)
    .toSorted(([, a], [, b]) => (a ?? 0) - (b ?? 0))
    .map(([phoneme]) => phoneme);

/** Whether a word went wrong enough to be trained; once may be too little to be listed. */
export const wentWrong = (row: Pick<WordAttempt, 'accuracy' | 'phonemes'>): boolean =>
  (row.accuracy !== null && row.accuracy < TRAIN_WORD_BELOW) || weakSounds(row).length > 0;

function list(progress: Progress, at: Date): void {
  progress.status = 'listed';
  progress.dueFrom = at;
  progress.passedDays = new Set();
  progress.masteredDay = null;
}

function applyAttempt(progress: Progress, row: WordAttempt): void {
  for (const sound of new Set(weakSounds(row))) progress.lowSounds.set(sound, (progress.lowSounds.get(sound) ?? 0) + 1);
  const isListable =
    (row.accuracy ?? 100) < TRAIN_WORD_BELOW ||
    weakSounds(row).some((sound) => (progress.lowSounds.get(sound) ?? 0) >= LISTED_WEAK_SOUNDS);
  // In a review, the grade says what follows from the score.
  if (!isListable || row.source === 'review' || progress.status === 'removed') return;
  if (progress.status === 'listed') progress.dueFrom = row.at;
  else list(progress, row.at);
}

function applyGrade(progress: Progress, row: WordAttempt): void {
  if (progress.status !== 'listed') return;
  if ((row.accuracy ?? 0) < REVIEW_PASSED_FROM || row.grade === 'again') {
    progress.passedDays = new Set();
    return;
  }
  progress.passedDays.add(row.day);
  if (progress.passedDays.size < GRADUATES_AFTER_DAYS) return;
  progress.status = 'graduated';
  progress.masteredDay = row.day;
  progress.lowSounds = new Map();
}

function applyRow(progress: Progress, row: WordAttempt): void {
  switch (row.kind) {
    case 'attempt':
      return applyAttempt(progress, row);
    case 'graded':
      return applyGrade(progress, row);
    case 'added':
      return list(progress, row.at);
    case 'learned':
    case 'removed':
      progress.status = row.kind;
      progress.masteredDay = row.kind === 'learned' ? row.day : null;
      progress.lowSounds = new Map();
      return;
    case 'counted':
      if (progress.status === 'unlisted' && (row.accuracy ?? 100) < COUNTED_LISTED_BELOW) list(progress, row.at);
  }
}

function toClip({ recordingId, startMs, endMs, accuracy, at }: WordAttempt): WordClip | null {
  if (recordingId === null || startMs === null || endMs === null || accuracy === null) return null;
  return { recordingId, startMs, endMs, accuracy, at: at.toISOString() };
}

function clipsOf(said: readonly WordAttempt[]): Pick<WordCard, 'latest' | 'best'> {
  const clips = said.map(toClip).filter((clip) => clip !== null);
  const best = clips.reduce<WordClip | null>(
    (top, clip) => (top === null || clip.accuracy >= top.accuracy ? clip : top),
    null,
  );
  return { latest: clips.at(-1) ?? null, best };
}

/** The kinds of rows that mean that the word was said. */
const PRACTISED: ReadonlySet<WordAttempt['kind']> = new Set(['attempt', 'graded', 'counted']);

const isAttempt = ({ kind }: WordAttempt): boolean => kind === 'attempt';

const isGraded = (row: WordAttempt): row is WordAttempt & { grade: ReviewGrade } =>
  row.kind === 'graded' && row.grade !== null;

/** The attempt that a card describes: the last one that went wrong, or else the last one; null when the word was not said. */
export const describedAttempt = (rows: readonly WordAttempt[]): WordAttempt | null =>
  describedOf(rows.filter(isAttempt).toSorted(inOrder));

const describedOf = (said: readonly WordAttempt[]): WordAttempt | null =>
  said.findLast(wentWrong) ?? said.at(-1) ?? null;

/** A review, a retry and a drill of the word alone keep the word as its own sentence, which shows no context. */
const hasContext = ({ word, sentence, source }: WordAttempt): boolean =>
  source !== 'review' && sentence !== null && listedSpelling(sentence) !== word && listedSpelling(sentence) !== '';

function sentenceOf(ordered: readonly WordAttempt[]): string | null {
  const inContext = ordered.filter(hasContext);
  return (inContext.findLast((row) => isAttempt(row) && wentWrong(row)) ?? inContext.at(-1))?.sentence ?? null;
}

/** `rows` are all rows of one word that are not deleted, in any order. Returns null without rows. */
export function projectWord(rows: readonly WordAttempt[]): WordCard | null {
  const ordered = rows.toSorted(inOrder);
  const newest = ordered.at(-1);
  if (newest === undefined) return null;
  const progress: Progress = {
    status: 'unlisted',
    dueFrom: null,
    lowSounds: new Map(),
    passedDays: new Set(),
    masteredDay: null,
  };
  for (const row of ordered) applyRow(progress, row);
  const said = ordered.filter(isAttempt);
  const lastWrong = said.findLast(wentWrong);
  const described = describedOf(said) ?? newest;
  const graded = ordered.filter(isGraded);
  const review = replayReviews(graded);
  const wentWrongSince = (graded.at(-1)?.at.getTime() ?? 0) < (progress.dueFrom?.getTime() ?? 0);
  const due = review === null || wentWrongSince ? progress.dueFrom : review.due;
  const [worst] = weakSounds(described);
  const counted = ordered.findLast(({ kind }) => kind === 'counted');
  return {
    word: newest.word,
    ipa: (said.at(-1) ?? ordered.findLast(({ ipa }) => ipa !== '') ?? newest).ipa,
    status: progress.status,
    sentence: sentenceOf(ordered),
    ...totalOf(countsOf(ordered)),
    recent: said.slice(-RECENT_ATTEMPTS).flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy])),
    worstPhonemes: [...new Set(weakSounds(said.length === 0 ? (counted ?? newest) : described))].slice(
      0,
      MAX_WORST_PHONEMES,
    ),
    heardAs: described.phonemes.find(([phoneme, , heard]) => phoneme === worst && heard !== null)?.[2] ?? null,
    lastPracticedAt: ordered.findLast(({ kind }) => PRACTISED.has(kind))?.at.toISOString() ?? null,
    lastWrongAt: lastWrong?.at.toISOString() ?? null,
    masteredDay: progress.masteredDay,
    due: progress.status === 'listed' ? (due?.toISOString() ?? null) : null,
    stability: review?.stability ?? null,
    difficulty: review?.difficulty ?? null,
    reviews: graded.length,
    ...clipsOf(said),
  };
}

/** The word of this card and its rows as an entry of `pronunciation_improvement_summary`, for apps that do not know the log; null if it was never listed. */
export function toListEntry(card: WordCard, rows: readonly WordAttempt[]): PronunciationWord | null {
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
    counts: countsOf(rows),
  };
}

/** The most words that a list shows and stores. */
export const MAX_LISTED_WORDS: number = 2_000;
