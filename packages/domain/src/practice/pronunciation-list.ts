/** The words a learner has to train: one list a learner, merged word by word. */
import { z } from 'zod';

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
});
export type PronunciationWord = z.infer<typeof PronunciationWord>;

export const PronunciationWords = z.array(PronunciationWord).max(5_000);
export type PronunciationWords = z.infer<typeof PronunciationWords>;

/** Newer practice of the same word wins; words of either list stay. Sorted by word, so that replicas are equal. */
export function mergePronunciationWords(ours: PronunciationWords, theirs: PronunciationWords): PronunciationWords {
  const byWord = new Map<string, PronunciationWord>();
  for (const entry of [...ours, ...theirs]) {
    const known = byWord.get(entry.word);
    const isNewer =
      known === undefined ||
      entry.lastPracticedAt > known.lastPracticedAt ||
      (entry.lastPracticedAt === known.lastPracticedAt && entry.attempts > known.attempts);
    if (isNewer) byWord.set(entry.word, entry);
  }
  return [...byWord.values()].toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

/** Folds one attempt at a word into the list. */
export function recordWordAttempt(
  words: PronunciationWords,
  attempt: { word: string; ipa: string; accuracy: number; worstPhonemes: readonly string[]; at: string },
): PronunciationWords {
  const known = words.find((entry) => entry.word === attempt.word);
  const attempts = (known?.attempts ?? 0) + 1;
  const meanAccuracy = ((known?.meanAccuracy ?? 0) * (attempts - 1) + attempt.accuracy) / attempts;
  const updated: PronunciationWord = {
    word: attempt.word,
    ipa: attempt.ipa,
    attempts,
    meanAccuracy: Math.round(meanAccuracy * 10) / 10,
    worstPhonemes: [...attempt.worstPhonemes].slice(0, 10),
    lastPracticedAt: attempt.at,
    due: known?.due ?? null,
    stability: known?.stability ?? null,
    difficulty: known?.difficulty ?? null,
  };
  return [...words.filter((entry) => entry.word !== attempt.word), updated].toSorted((a, b) =>
    a.word < b.word ? -1 : 1,
  );
}

/** A word enters the list under this accuracy, or when one of its sounds is under 50. */
export const TRAIN_WORD_BELOW: number = 60;
export const TRAIN_PHONEME_BELOW: number = 50;
