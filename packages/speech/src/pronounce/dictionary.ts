/** The pronouncing dictionary: CMUdict, plus the words that the training corpus pronounces differently. It is loaded on first use. */
import { readFile } from 'node:fs/promises';
import type { PronouncingDictionary } from './pronounce.ts';
import type { StressedPhone } from './phones.ts';

const MAX_VARIANTS = 4;

/** `extraFile` contains lines `word<TAB>phones`, which take precedence over CMUdict. */
export async function loadDictionary(extraFile: string | null): Promise<PronouncingDictionary> {
  const [{ dictionary }, extra] = await Promise.all([
    import('cmu-pronouncing-dictionary'),
    extraFile === null ? '' : readFile(extraFile, 'utf8'),
  ]);
  const extraByWord = new Map<string, string[]>();
  for (const line of extra.split('\n')) {
    const [word, phones] = line.split('\t');
    if (word === undefined || phones === undefined || word.startsWith('#')) continue;
    extraByWord.set(word, [...(extraByWord.get(word) ?? []), phones.trim()]);
  }
  return (word): StressedPhone[][] => {
    const variants = new Set(extraByWord.get(word) ?? []);
    for (let index = 1; index <= MAX_VARIANTS; index += 1) {
      const phones = Object.hasOwn(dictionary, index === 1 ? word : `${word}(${index})`)
        ? dictionary[index === 1 ? word : `${word}(${index})`]
        : undefined;
      if (phones !== undefined) variants.add(phones);
    }
    return [...variants].map((phones) => phones.split(' '));
  };
}
