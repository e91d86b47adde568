/** Selects the words of a session that are most worth practising. */
import {
  type Assessment,
  TRAIN_PHONEME_BELOW,
  TRAIN_WORD_BELOW,
  type WordAssessment,
  type WordToTrain,
} from '@parley/domain';
import { isFunctionWord } from '../text/comparable-words.ts';

const MAX_WORDS = 5;

/** Worst words first, content words before function words, each word once. Omitted words are not a pronunciation problem. */
export function wordsToTrain(assessments: readonly Assessment[]): WordToTrain[] {
  const worstByWord = new Map<string, WordToTrain>();
  for (const word of assessments.filter((a) => a.unusable === undefined).flatMap((a) => a.words)) {
    const candidate = toWordToTrain(word);
    if (candidate === null) continue;
    const known = worstByWord.get(candidate.word);
    if (known === undefined || candidate.accuracy < known.accuracy) worstByWord.set(candidate.word, candidate);
  }
  return [...worstByWord.values()]
    .toSorted((a, b) => Number(isFunctionWord(a.word)) - Number(isFunctionWord(b.word)) || a.accuracy - b.accuracy)
    .slice(0, MAX_WORDS);
}

function toWordToTrain(word: WordAssessment): WordToTrain | null {
  if (word.accuracy === null || word.error === 'Omission' || word.error === 'Insertion') return null;
  const weakPhonemes = word.phonemes
    .filter((phoneme) => phoneme.accuracy !== null && phoneme.accuracy < TRAIN_PHONEME_BELOW)
    .toSorted((a, b) => (a.accuracy ?? 0) - (b.accuracy ?? 0));
  if (word.accuracy >= TRAIN_WORD_BELOW && weakPhonemes.length === 0) return null;
  return {
    word: word.word.toLowerCase(),
    ipa: word.phonemes.map((phoneme) => phoneme.phoneme).join(''),
    accuracy: word.accuracy,
    worstPhonemes: [...new Set(weakPhonemes.map((phoneme) => phoneme.phoneme))].slice(0, 10),
  };
}
