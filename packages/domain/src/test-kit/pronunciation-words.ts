/** Test helpers for the list of words that apps kept before the attempt log. */
import {
  byWord,
  countsOf,
  MAX_PRONUNCIATION_WORDS,
  type PronunciationWord,
  PronunciationWords,
  totalOf,
} from '../practice/pronunciation-list.ts';

export { MAX_PRONUNCIATION_WORDS, PronunciationWords };

/** Adds one attempt on a device to the list, as apps did before the attempt log; their lists still arrive and are merged. */
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
  // A full list accepts no new words, because failing here would keep the session from being completed.
  if (known === undefined && words.length >= MAX_PRONUNCIATION_WORDS) return words;
  const before = known === undefined ? {} : countsOf(known);
  const own = before[attempt.deviceId] ?? { attempts: 0, meanAccuracy: 0 };
  const attempts = own.attempts + 1;
  const meanAccuracy = (own.meanAccuracy * own.attempts + attempt.accuracy) / attempts;
  const counts = { ...before, [attempt.deviceId]: { attempts, meanAccuracy: Math.round(meanAccuracy * 10) / 10 } };
  const updated: PronunciationWord = {
    word: attempt.word,
    ipa: attempt.ipa,
    ...totalOf(counts),
    worstPhonemes: [...attempt.worstPhonemes].slice(0, 10),
    // The list may contain a later time from another device's clock, and a new attempt must not move it back.
    lastPracticedAt: known !== undefined && known.lastPracticedAt > attempt.at ? known.lastPracticedAt : attempt.at,
    due: known?.due ?? null,
    stability: known?.stability ?? null,
    difficulty: known?.difficulty ?? null,
    counts,
  };
  return [...words.filter((entry) => entry.word !== attempt.word), updated].toSorted(byWord);
}
