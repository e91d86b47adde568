/** The learner's list of words to train: one list per learner, merged word by word. */
import { z } from 'zod';

/** Attempts at a word on one device. A device's count only ever grows, so the greater of two counts is the newer one. */
const AttemptCount = z.object({ attempts: z.number().int().min(0), meanAccuracy: z.number().min(0).max(100) });
type AttemptCount = z.infer<typeof AttemptCount>;

/** The maximum number of devices with counts for one word, including databases that have been replaced. */
const MAX_COUNTING_DEVICES = 500;

export const PronunciationWord = z.object({
  word: z.string().min(1).max(80),
  ipa: z.string().max(120),
  attempts: z.number().int().min(0),
  meanAccuracy: z.number().min(0).max(100),
  worstPhonemes: z.array(z.string().max(8)).max(10),
  lastPracticedAt: z.iso.datetime(),
  /** FSRS scheduling; null until the word is first reviewed. */
  due: z.iso.datetime().nullable(),
  stability: z.number().min(0).nullable(),
  difficulty: z.number().min(0).max(10).nullable(),
  /** Counts by device, from which `attempts` and `meanAccuracy` are computed. Older apps omit it and keep one total. */
  counts: z
    .record(z.string().max(36), AttemptCount)
    .refine((counts) => Object.keys(counts).length <= MAX_COUNTING_DEVICES)
    .optional(),
});
export type PronunciationWord = z.infer<typeof PronunciationWord>;

export const MAX_PRONUNCIATION_WORDS = 5_000;
export const PronunciationWords = z.array(PronunciationWord).max(MAX_PRONUNCIATION_WORDS);
export type PronunciationWords = z.infer<typeof PronunciationWords>;

/** The key for attempts that were counted before counts were kept per device. */
const UNATTRIBUTED_KEY = 'before';

type Counts = Record<string, AttemptCount>;

export const totalOf = (counts: Counts): AttemptCount => {
  const all = Object.values(counts);
  const attempts = all.reduce((sum, count) => sum + count.attempts, 0);
  const points = all.reduce((sum, count) => sum + count.attempts * count.meanAccuracy, 0);
  return { attempts, meanAccuracy: attempts === 0 ? 0 : Math.round((points / attempts) * 10) / 10 };
};

export const countsOf = ({ counts, attempts, meanAccuracy }: PronunciationWord): Counts =>
  counts ?? { [UNATTRIBUTED_KEY]: { attempts, meanAccuracy } };

/** A list from an older app has only a total, so attempts that no device accounts for are added under the unattributed key. */
function addUnattributed(counts: Counts, { attempts, meanAccuracy }: PronunciationWord): Counts {
  const missing = attempts - totalOf(counts).attempts;
  if (missing <= 0) return counts;
  const unattributed = counts[UNATTRIBUTED_KEY] ?? { attempts: 0, meanAccuracy };
  return { ...counts, [UNATTRIBUTED_KEY]: { ...unattributed, attempts: unattributed.attempts + missing } };
}

function mergeCounts(ours: PronunciationWord, theirs: PronunciationWord): Counts {
  if (ours.counts === undefined && theirs.counts !== undefined) return addUnattributed(theirs.counts, ours);
  if (theirs.counts === undefined && ours.counts !== undefined) return addUnattributed(ours.counts, theirs);
  const [a, b] = [countsOf(ours), countsOf(theirs)];
  const greaterCount = (device: string): AttemptCount => {
    const [one, other] = [a[device], b[device]];
    if (one === undefined || other === undefined) return one ?? other ?? { attempts: 0, meanAccuracy: 0 };
    if (one.attempts === other.attempts) return one.meanAccuracy >= other.meanAccuracy ? one : other;
    return one.attempts > other.attempts ? one : other;
  };
  const devices = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return Object.fromEntries(devices.map((device) => [device, greaterCount(device)]));
}

function mergeWord(ours: PronunciationWord, theirs: PronunciationWord): PronunciationWord {
  const isNewer =
    theirs.lastPracticedAt > ours.lastPracticedAt ||
    (theirs.lastPracticedAt === ours.lastPracticedAt && theirs.attempts > ours.attempts);
  const counts = mergeCounts(ours, theirs);
  return { ...(isNewer ? theirs : ours), ...totalOf(counts), counts };
}

export const byWord = (a: PronunciationWord, b: PronunciationWord): number => (a.word < b.word ? -1 : 1);

/**
 * Returns the union of both lists, with the attempts of every device. The more recent practice decides the pronunciation details and the
 * due date. The result is sorted by word so that replicas are equal.
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

/** Returns the entries that differ from the previous list, which are the ones that a device sends. */
export function changedWords(
  before: readonly PronunciationWord[],
  after: readonly PronunciationWord[],
): PronunciationWord[] {
  const known = new Map(before.map((entry) => [entry.word, entry]));
  return after.filter((entry) => {
    const last = known.get(entry.word);
    // Most entries of a long list are unchanged.
    return entry !== last && JSON.stringify(entry) !== JSON.stringify(last);
  });
}
