/** Finds minimal pairs, which provide labelled test data on confusions without new recordings. */
import { loadDictionary } from '../pronounce/dictionary.ts';
import { confusablePhones } from '../pronounce/confusable-phones.ts';
import { ipaOf, outputOf, type StressedPhone, withoutStress } from '../pronounce/phones.ts';
import { MODEL_DIR } from '../score/model-dir.ts';

export interface MinimalPair {
  word: string;
  /** Index of the phone in which the two words differ. */
  phone: number;
  /** The phone in the first word, in IPA. */
  said: string;
}

const MAX_LETTERS = 7;

const soundOf = (phones: readonly StressedPhone[]): string => phones.map(withoutStress).join(' ');

/**
 * Returns a function that finds a dictionary word that differs from a given word in a single confusable phone, or null.
 * It loads the whole dictionary.
 */
export async function createMinimalPairFinder(): Promise<(word: string) => MinimalPair | null> {
  const [{ dictionary }, pronounce] = await Promise.all([
    import('cmu-pronouncing-dictionary'),
    loadDictionary(MODEL_DIR, { withCorpusWords: false }),
  ]);
  const wordBySound = new Map(
    Object.entries(dictionary).flatMap(([word, phones]): [string, string][] =>
      word.length <= MAX_LETTERS && /^[a-z]+$/.test(word) ? [[soundOf(phones.split(' ')), word]] : [],
    ),
  );
  return (word) => {
    const [phones] = pronounce(word.toLowerCase());
    if (phones === undefined || phones.length < 2) return null;
    for (const [index, phone] of phones.entries()) {
      const unstressed = withoutStress(phone);
      for (const rival of confusablePhones(unstressed)) {
        const other = phones.map((each, at) => (at === index ? rival : withoutStress(each))).join(' ');
        const found = wordBySound.get(other);
        if (found !== undefined && found !== word.toLowerCase())
          return { word: found, phone: index, said: ipaOf(outputOf(unstressed) ?? 0, phone) };
      }
    }
    return null;
  };
}
