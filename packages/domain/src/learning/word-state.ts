/**
 * The state that results from a word's rows. It is updated row by row, because a word such as “the” has ten thousand
 * rows after some years, and every answer adds one.
 */
import { z } from 'zod';
import { replayReviews } from './review-schedule.ts';
import {
  ATTEMPT_KINDS,
  type AttemptKind,
  AttemptPhonemes,
  listedSpelling,
  REVIEW_GRADES,
  type WordAttempt,
} from './word-attempt.ts';
import { type Counts, LOG_COUNT_KEY, roundTenth } from './word-counts.ts';

/** A word is listed when its accuracy is below this. */
export const TRAIN_WORD_BELOW: number = 60;
/** A word is also listed when the same sound in it was below this twice. */
export const TRAIN_PHONEME_BELOW: number = 50;
const LISTED_WEAK_SOUNDS = 2;
/** A word is mastered after this many reviews with at least the passing score, on different days. */
const GRADUATES_AFTER_DAYS = 2;
const REVIEW_PASSED_FROM = 80;
const RECENT_ATTEMPTS = 10;
/**
 * The list of an app version without the log contains words that have long been clear; only the others are listed
 * again.
 */
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

const SaidWord = z.object({ at: Iso, phonemes: AttemptPhonemes });

/** Increase this when the derivation changes, so that stored states are recomputed when the app starts. */
export const WORD_STATE_VERSION = 1;

export const WordState = z.object({
  version: z.literal(WORD_STATE_VERSION),
  word: z.string(),
  /** The newest row, after which others may be added. */
  last: z.object({ at: Iso, kind: z.enum(ATTEMPT_KINDS), id: z.string() }),
  status: z.enum(WORD_STATUSES),
  /** When the word was listed, or first went wrong after its last review. */
  dueFrom: Iso.nullable(),
  lowSounds: z.record(z.string(), z.number().int()),
  passedDays: z.array(z.string()),
  masteredDay: z.string().nullable(),
  /** The last attempt; null if the word was never said. */
  lastSaid: SaidWord.extend({ ipa: z.string() }).nullable(),
  /** The last attempt that went wrong. */
  lastWrong: SaidWord.nullable(),
  /** The worst sounds in the last row from an app version without the log; null if there is no such row. */
  countedSounds: z.array(z.string()).nullable(),
  /** The sounds of the newest row. */
  newestPhonemes: AttemptPhonemes,
  /** The last non-empty transcription. */
  anyIpa: z.string(),
  /** The sentence in which the word last went wrong. */
  wrongSentence: z.string().nullable(),
  /** The last sentence in which the word was said. */
  lastSentence: z.string().nullable(),
  /** The counts of app versions that do not know the log. */
  counted: z.record(z.string(), z.object({ attempts: z.number(), meanAccuracy: z.number() })),
  logged: z.object({ attempts: z.number().int(), points: z.number() }),
  recent: z.array(z.number().nullable()),
  lastPracticedAt: Iso.nullable(),
  grades: z.array(z.object({ at: Iso, grade: z.enum(REVIEW_GRADES) })),
  /** The schedule that results from the grades. */
  review: z.object({ due: Iso, stability: z.number(), difficulty: z.number() }).nullable(),
  latest: WordClip.nullable(),
  best: WordClip.nullable(),
});
export type WordState = z.infer<typeof WordState>;

/** A state change that results from an attempt comes after it, even in the same millisecond. */
const RANK_BY_KIND = { counted: 0, attempt: 1, graded: 2, added: 3, learned: 4, removed: 5 } as const;

interface Place {
  atMs: number;
  kind: AttemptKind;
  id: string;
}

const placeOf = ({ at, kind, id }: WordAttempt): Place => ({ atMs: at.getTime(), kind, id });

const comparePlaces = (a: Place, b: Place): number =>
  a.atMs - b.atMs || RANK_BY_KIND[a.kind] - RANK_BY_KIND[b.kind] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Every device replays a word's rows in this order. */
export const inOrder = (a: WordAttempt, b: WordAttempt): number => comparePlaces(placeOf(a), placeOf(b));

/** Worst first. */
export const weakSounds = ({ phonemes }: Pick<WordAttempt, 'phonemes'>): string[] =>
  phonemes
    .filter(([, accuracy]) => accuracy !== null && accuracy < TRAIN_PHONEME_BELOW)
    .toSorted(([, a], [, b]) => (a ?? 0) - (b ?? 0))
    .map(([phoneme]) => phoneme);

/** Whether a word went wrong enough to be trained, for which a single time may not be enough. */
export const wentWrong = (row: Pick<WordAttempt, 'accuracy' | 'phonemes'>): boolean =>
  (row.accuracy !== null && row.accuracy < TRAIN_WORD_BELOW) || weakSounds(row).length > 0;

const firstState = (row: WordAttempt): WordState => ({
  version: WORD_STATE_VERSION,
  word: row.word,
  last: { at: row.at.toISOString(), kind: row.kind, id: row.id },
  status: 'unlisted',
  dueFrom: null,
  lowSounds: {},
  passedDays: [],
  masteredDay: null,
  lastSaid: null,
  lastWrong: null,
  countedSounds: null,
  newestPhonemes: [],
  anyIpa: '',
  wrongSentence: null,
  lastSentence: null,
  counted: {},
  logged: { attempts: 0, points: 0 },
  recent: [],
  lastPracticedAt: null,
  grades: [],
  review: null,
  latest: null,
  best: null,
});

function list(state: WordState, at: Date): void {
  state.status = 'listed';
  state.dueFrom = at.toISOString();
  state.passedDays = [];
  state.masteredDay = null;
}

function listIfWrong(state: WordState, row: WordAttempt): void {
  const weak = weakSounds(row);
  for (const sound of new Set(weak)) state.lowSounds[sound] = (state.lowSounds[sound] ?? 0) + 1;
  const isListable =
    (row.accuracy ?? 100) < TRAIN_WORD_BELOW ||
    weak.some((sound) => (state.lowSounds[sound] ?? 0) >= LISTED_WEAK_SOUNDS);
  // In a review, the grade decides instead of the score.
  if (!isListable || row.source === 'review' || state.status === 'removed') return;
  if (state.status !== 'listed') list(state, row.at);
  else if (!wentWrongSinceReview(state)) state.dueFrom = row.at.toISOString();
}

/** Before any row. */
const EPOCH = new Date(0).toISOString();

/** Whether the word was listed, or went wrong, after its last review. */
export const wentWrongSinceReview = ({ grades, dueFrom }: Pick<WordState, 'grades' | 'dueFrom'>): boolean =>
  Date.parse(grades.at(-1)?.at ?? EPOCH) < Date.parse(dueFrom ?? EPOCH);

function toClip({ recordingId, startMs, endMs, accuracy, at }: WordAttempt): WordClip | null {
  if (recordingId === null || startMs === null || endMs === null || accuracy === null) return null;
  return { recordingId, startMs, endMs, accuracy, at: at.toISOString() };
}

function addAttempt(state: WordState, row: WordAttempt): void {
  listIfWrong(state, row);
  const { accuracy, phonemes, ipa } = row;
  const at = row.at.toISOString();
  state.lastSaid = { at, phonemes, ipa };
  state.recent.push(accuracy);
  if (state.recent.length > RECENT_ATTEMPTS) state.recent.shift();
  if (accuracy !== null) state.logged = { attempts: state.logged.attempts + 1, points: state.logged.points + accuracy };
  if (wentWrong(row)) state.lastWrong = { at, phonemes };
  const clip = toClip(row);
  if (clip === null) return;
  state.latest = clip;
  if (state.best === null || clip.accuracy >= state.best.accuracy) state.best = clip;
}

function addGrade(state: WordState, row: WordAttempt): void {
  if (row.grade !== null) state.grades.push({ at: row.at.toISOString(), grade: row.grade });
  if (state.status !== 'listed') return;
  if ((row.accuracy ?? 0) < REVIEW_PASSED_FROM || row.grade === 'again') {
    state.passedDays = [];
    return;
  }
  if (!state.passedDays.includes(row.day)) state.passedDays.push(row.day);
  if (state.passedDays.length < GRADUATES_AFTER_DAYS) return;
  state.status = 'graduated';
  state.masteredDay = row.day;
  state.lowSounds = {};
}

/** The greatest count that an app version without the log has sent is its newest. */
function addCount(state: WordState, { countedBy, attempts, accuracy }: WordAttempt): void {
  if (countedBy === null || attempts === null) return;
  const known = state.counted[countedBy];
  const isNewer =
    known === undefined ||
    attempts > known.attempts ||
    (attempts === known.attempts && (accuracy ?? 0) > known.meanAccuracy);
  if (isNewer) state.counted[countedBy] = { attempts, meanAccuracy: accuracy ?? 0 };
}

function addKind(state: WordState, row: WordAttempt): void {
  switch (row.kind) {
    case 'attempt':
      return addAttempt(state, row);
    case 'graded':
      return addGrade(state, row);
    case 'added':
      return list(state, row.at);
    case 'learned':
    case 'removed':
      state.status = row.kind;
      state.masteredDay = row.kind === 'learned' ? row.day : null;
      state.lowSounds = {};
      return;
    case 'counted':
      addCount(state, row);
      // Such an app sends only the worst sounds, without their accuracy.
      state.countedSounds = row.phonemes.map(([phoneme]) => phoneme);
      if (state.status === 'unlisted' && (row.accuracy ?? 100) < COUNTED_LISTED_BELOW) list(state, row.at);
  }
}

/** In a review, a retry or a drill of the word alone, the sentence is the word itself, which gives no context. */
function hasContext({ word, sentence, source }: WordAttempt): boolean {
  if (source === 'review' || sentence === null) return false;
  const spelling = listedSpelling(sentence);
  return spelling !== '' && spelling !== listedSpelling(word);
}

/** The kinds of rows that mean that the word was said. */
const PRACTISED: ReadonlySet<AttemptKind> = new Set(['attempt', 'graded', 'counted']);

function addRow(state: WordState, row: WordAttempt): void {
  addKind(state, row);
  state.word = row.word;
  state.last = { at: row.at.toISOString(), kind: row.kind, id: row.id };
  state.newestPhonemes = row.phonemes;
  if (row.ipa !== '') state.anyIpa = row.ipa;
  if (PRACTISED.has(row.kind)) state.lastPracticedAt = row.at.toISOString();
  if (!hasContext(row)) return;
  state.lastSentence = row.sentence;
  if (row.kind === 'attempt' && wentWrong(row)) state.wrongSentence = row.sentence;
}

/** `rows` are all rows of one word that are not deleted, in any order. Returns null without rows. */
export function replayWord(rows: readonly WordAttempt[]): WordState | null {
  const ordered = rows.toSorted(inOrder);
  const [first] = ordered;
  if (first === undefined) return null;
  const state = firstState(first);
  for (const row of ordered) addRow(state, row);
  return schedule(state);
}

/** Returns the state with rows that are new, or null if one of them belongs before the newest, so that all must be replayed. */
export function continueWord(state: WordState, added: readonly WordAttempt[]): WordState | null {
  const { at, kind, id } = state.last;
  const last: Place = { atMs: Date.parse(at), kind, id };
  if (added.some((row) => comparePlaces(placeOf(row), last) <= 0)) return null;
  const continued: WordState = {
    ...state,
    lowSounds: { ...state.lowSounds },
    passedDays: [...state.passedDays],
    counted: { ...state.counted },
    recent: [...state.recent],
    grades: [...state.grades],
  };
  for (const row of added.toSorted(inOrder)) addRow(continued, row);
  return continued.grades.length === state.grades.length ? continued : schedule(continued);
}

/** Returns the state with what results from its grades. */
export function schedule(state: WordState): WordState {
  const review = replayReviews(state.grades.map(({ at, grade }) => ({ at: new Date(at), grade })));
  return { ...state, review: review === null ? null : { ...review, due: review.due.toISOString() } };
}

/** How often the word was said and how well, by counter. */
export function countsOf({ counted, logged }: WordState): Counts {
  const { attempts, points } = logged;
  if (attempts === 0) return counted;
  return { ...counted, [LOG_COUNT_KEY]: { attempts, meanAccuracy: roundTenth(points / attempts) } };
}
