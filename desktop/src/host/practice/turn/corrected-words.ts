/** Keeps what is still known about transcribed words after the learner has corrected their text. */
import type { TranscribedWord } from '@parley/contract';

/**
 * Null when words were added or left out, because the text is then the learner's own. A word that the learner chose is
 * certain.
 */
export function correctWords(words: readonly TranscribedWord[], text: string): TranscribedWord[] | null {
  const spelled = text.split(/\s+/).filter((word) => word !== '');
  if (spelled.length !== words.length) return null;
  return words.map((known, index) => {
    const word = spelled[index] ?? known.word;
    return word === known.word ? known : { word, confidence: 1, alternatives: [] };
  });
}
