/** The few words of a session that are most worth another try. */
import {
  type Assessment,
  TRAIN_PHONEME_BELOW,
  TRAIN_WORD_BELOW,
  type WordAssessment,
  type WordToTrain,
} from '@parley/domain';
import { isFunctionWord } from '../words.ts';

const MAX_WORDS = 5;

/** Worst first, words that carry meaning before little ones, each once. Left-out words are no pronunciation problem. */
export function wordsToTrain(assessments: readonly Assessment[]): WordToTrain[] {
  const worstByWord = new Map<string, WordToTrain>();
  for (const word of assessments.filter((a) => a.unusable === undefined).flatMap((a) => a.words)) {
    const candidate = toTrain(word);
    if (candidate === null) continue;
    const known = worstByWord.get(candidate.word);
    if (known === undefined || candidate.accuracy < known.accuracy) worstByWord.set(candidate.word, candidate);
  }
  return [...worstByWord.values()]
    .toSorted((a, b) => Number(isFunctionWord(a.word)) - Number(isFunctionWord(b.word)) || a.accuracy - b.accuracy)
    .slice(0, MAX_WORDS);
}

function toTrain(word: WordAssessment): WordToTrain | null {
  if (word.accuracy === null || word.error === 'Omission' || word.error === 'Insertion') return null;
  const weak = word.phonemes
    .filter((phoneme) => phoneme.accuracy !== null && phoneme.accuracy < TRAIN_PHONEME_BELOW)
    .toSorted((a, b) => (a.accuracy ?? 0) - (b.accuracy ?? 0));
  if (word.accuracy >= TRAIN_WORD_BELOW && weak.length === 0) return null;
  return {
    word: word.word.toLowerCase(),
    ipa: word.phonemes.map((phoneme) => phoneme.phoneme).join(''),
    accuracy: word.accuracy,
    worstPhonemes: [...new Set(weak.map((phoneme) => phoneme.phoneme))].slice(0, 10),
  };
}
