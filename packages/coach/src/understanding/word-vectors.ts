/** Meanings of words as directions: words that are used alike point alike. Made by `scripts/make-word-vectors.py` from GloVe (public domain, PDDL 1.0). */
import data from './word-vectors.json' with { type: 'json' };

const { dimensions } = data;
const bytes = Int8Array.from(Buffer.from(data.vectors, 'base64'));
const placeByWord: ReadonlyMap<string, number> = new Map(data.words.split(' ').map((word, index) => [word, index]));

/** How common a word is: 0 for the most frequent; undefined for a word that is not known. */
export const rankOfWord = (word: string): number | undefined => placeByWord.get(word);

/** The mean direction of these words, of length 1; null when none is known. */
export function meanVector(words: readonly string[]): Float32Array | null {
  const sum = new Float32Array(dimensions);
  let count = 0;
  for (const word of words) {
    const place = placeByWord.get(word);
    if (place === undefined) continue;
    // Rare words say more.
    const weight = place / (place + RARITY_HALF);
    for (let d = 0; d < dimensions; d += 1)
      sum[d] = (sum[d] ?? 0) + ((bytes[place * dimensions + d] ?? 0) / 127) * weight;
    count += 1;
  }
  const length = Math.hypot(...sum);
  return count === 0 || length === 0 ? null : sum.map((value) => value / length);
}

/** A word of this rank counts half. */
const RARITY_HALF = 120;
