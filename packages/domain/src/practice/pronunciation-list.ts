/** The words a learner has to train: one list a learner, merged word by word. */
import { z } from 'zod';

/** Attempts at a word on one device. A device only ever raises its own, so that the greater of two counts is the newer one. */
const AttemptCount = z.object({ attempts: z.number().int().min(0), meanAccuracy: z.number().min(0).max(100) });
type AttemptCount = z.infer<typeof AttemptCount>;

/** Devices, and databases of devices that were replaced, that have counted attempts at one word. */
const MAX_COUNTING_DEVICES = 500;

export const PronunciationWord = z.object({
  word: z.string().min(1).max(80),
  ipa: z.string().max(120),
  attempts: z.number().int().min(0),
  meanAccuracy: z.number().min(0).max(100),
  worstPhonemes: z.array(z.string().max(8)).max(10),
  lastPracticedAt: z.iso.datetime(),
  /** FSRS scheduling: null until the word was first reviewed. */
  due: z.iso.datetime().nullable(),
  stability: z.number().min(0).nullable(),
  difficulty: z.number().min(0).max(10).nullable(),
  /** By device; `attempts` and `meanAccuracy` are computed from it. Left out by apps that knew one count only. */
  counts: z
    .record(z.string().max(36), AttemptCount)
    .refine((counts) => Object.keys(counts).length <= MAX_COUNTING_DEVICES)
    .optional(),
});
export type PronunciationWord = z.infer<typeof PronunciationWord>;

export const MAX_PRONUNCIATION_WORDS = 5_000;
export const PronunciationWords = z.array(PronunciationWord).max(MAX_PRONUNCIATION_WORDS);
export type PronunciationWords = z.infer<typeof PronunciationWords>;

/** Attempts that were counted before devices counted for themselves. */
const UNATTRIBUTED = 'before';

type Counts = Record<string, AttemptCount>;

const sumOf = (counts: Counts): AttemptCount => {
  const all = Object.values(counts);
  const attempts = all.reduce((sum, count) => sum + count.attempts, 0);
  const points = all.reduce((sum, count) => sum + count.attempts * count.meanAccuracy, 0);
  return { attempts, meanAccuracy: attempts === 0 ? 0 : Math.round((points / attempts) * 10) / 10 };
};

const countsOf = ({ counts, attempts, meanAccuracy }: PronunciationWord): Counts =>
  counts ?? { [UNATTRIBUTED]: { attempts, meanAccuracy } };

/** A list of an older app says only how many attempts it knows of: what no device has counted is taken from there. */
function addUnattributed(counts: Counts, { attempts, meanAccuracy }: PronunciationWord): Counts {
  const missing = attempts - sumOf(counts).attempts;
  if (missing <= 0) return counts;
  const before = counts[UNATTRIBUTED] ?? { attempts: 0, meanAccuracy };
  return { ...counts, [UNATTRIBUTED]: { ...before, attempts: before.attempts + missing } };
}

function mergeCounts(ours: PronunciationWord, theirs: PronunciationWord): Counts {
  if (ours.counts === undefined && theirs.counts !== undefined) return addUnattributed(theirs.counts, ours);
  if (theirs.counts === undefined && ours.counts !== undefined) return addUnattributed(ours.counts, theirs);
  const [a, b] = [countsOf(ours), countsOf(theirs)];
  const greater = (device: string): AttemptCount => {
    const [one, other] = [a[device], b[device]];
    if (one === undefined || other === undefined) return one ?? other ?? { attempts: 0, meanAccuracy: 0 };
    if (one.attempts === other.attempts) return one.meanAccuracy >= other.meanAccuracy ? one : other;
    return one.attempts > other.attempts ? one : other;
  };
  const devices = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return Object.fromEntries(devices.map((device) => [device, greater(device)]));
}

function mergeWord(ours: PronunciationWord, theirs: PronunciationWord): PronunciationWord {
  const isNewer =
    theirs.lastPracticedAt > ours.lastPracticedAt ||
    (theirs.lastPracticedAt === ours.lastPracticedAt && theirs.attempts > ours.attempts);
  const counts = mergeCounts(ours, theirs);
  return { ...(isNewer ? theirs : ours), ...sumOf(counts), counts };
}

const byWord = (a: PronunciationWord, b: PronunciationWord): number => (a.word < b.word ? -1 : 1);

/**
 * The words of both lists, each with all attempts that any device has counted; the newer practice says how it is pronounced and when it is
 * due. Sorted by word, so that replicas are equal.
 */
export function mergePronunciationWords(
  ours: readonly PronunciationWord[],
  theirs: readonly PronunciationWord[],
): PronunciationWord[] {
  const merged = new Map<string, PronunciationWord>();
  for (const entry of [...ours, ...theirs]) {
    const known = merged.get(entry.word);
    merged.set(entry.word, known === undefined ? entry : mergeWord(known, entry));
  }
  return [...merged.values()].toSorted(byWord);
}

/** The entries of a list that are not in it as they were: what a device sends. */
export function changedWords(
  before: readonly PronunciationWord[],
  after: readonly PronunciationWord[],
): PronunciationWord[] {
  const known = new Map(before.map((entry) => [entry.word, JSON.stringify(entry)]));
  return after.filter((entry) => known.get(entry.word) !== JSON.stringify(entry));
}

/** Folds one attempt at a word, made on this device, into the list. */
export function recordWordAttempt(
  words: PronunciationWords,
  attempt: {
    word: string;
    ipa: string;
    accuracy: number;
    worstPhonemes: readonly string[];
    at: string;
    deviceId: string;
  },
): PronunciationWords {
  const known = words.find((entry) => entry.word === attempt.word);
  // A full list takes in no new word: the session that it comes from must be completed all the same.
  if (known === undefined && words.length >= MAX_PRONUNCIATION_WORDS) return words;
  const before = known === undefined ? {} : countsOf(known);
  const own = before[attempt.deviceId] ?? { attempts: 0, meanAccuracy: 0 };
  const attempts = own.attempts + 1;
  const meanAccuracy = (own.meanAccuracy * own.attempts + attempt.accuracy) / attempts;
  const counts = { ...before, [attempt.deviceId]: { attempts, meanAccuracy: Math.round(meanAccuracy * 10) / 10 } };
  const updated: PronunciationWord = {
    word: attempt.word,
    ipa: attempt.ipa,
    ...sumOf(counts),
    worstPhonemes: [...attempt.worstPhonemes].slice(0, 10),
    // The list may hold a later time, by another device's clock: practice does not become older by more of it.
    lastPracticedAt: known !== undefined && known.lastPracticedAt > attempt.at ? known.lastPracticedAt : attempt.at,
    due: known?.due ?? null,
    stability: known?.stability ?? null,
    difficulty: known?.difficulty ?? null,
    counts,
  };
  return [...words.filter((entry) => entry.word !== attempt.word), updated].toSorted(byWord);
}

/** A word enters the list under this accuracy, or when one of its sounds is under 50. */
export const TRAIN_WORD_BELOW: number = 60;
export const TRAIN_PHONEME_BELOW: number = 50;
