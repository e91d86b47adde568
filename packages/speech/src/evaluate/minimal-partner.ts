/** Words that differ in one sound that learners mix up: a truth about confusions that need not be recorded. */
import { loadDictionary } from '../pronounce/dictionary.ts';
import { mixedUpWith } from '../pronounce/mixed-up.ts';
import { ipaOf, outputOf, type StressedPhone, withoutStress } from '../pronounce/phones.ts';

export interface MinimalPartner {
  word: string;
  /** Index of the sound in which the two differ. */
  phone: number;
  /** What is said in the first word; IPA. */
  said: string;
}

const MOST_LETTERS = 7;

const soundOf = (phones: readonly StressedPhone[]): string => phones.map(withoutStress).join(' ');

/**
 * Finds another word of the dictionary that differs from one in a single sound of a pair above; null when there is none. Reads the
 * whole dictionary.
 */
export async function minimalPartners(): Promise<(word: string) => MinimalPartner | null> {
  const [{ dictionary }, pronounce] = await Promise.all([import('cmu-pronouncing-dictionary'), loadDictionary(null)]);
  const wordBySound = new Map(
    Object.entries(dictionary).flatMap(([word, phones]): [string, string][] =>
      word.length <= MOST_LETTERS && /^[a-z]+$/.test(word) ? [[soundOf(phones.split(' ')), word]] : [],
    ),
  );
  return (word) => {
    const [phones] = pronounce(word.toLowerCase());
    if (phones === undefined || phones.length < 2) return null;
    for (const [index, phone] of phones.entries()) {
      const bare = withoutStress(phone);
      for (const rival of mixedUpWith(bare)) {
        const other = phones.map((each, at) => (at === index ? rival : withoutStress(each))).join(' ');
        const found = wordBySound.get(other);
        if (found !== undefined && found !== word.toLowerCase())
          return { word: found, phone: index, said: ipaOf(outputOf(bare) ?? 0, phone) };
      }
    }
    return null;
  };
}
