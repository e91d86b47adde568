/** The pronouncing dictionary: CMUdict, plus the words that the training corpus pronounces differently. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackReleasable } from '../acoustic/releasable-bytes.ts';
import type { PronouncingDictionary, StressedPhone } from './phones.ts';

/** As written by training/build-dictionary.ts: lines `word<TAB>phones`, in the order of their bytes. */
export const DICTIONARY_FILE = 'dictionary.tsv.br';
/** Lines `word<TAB>phones` that take precedence over CMUdict. */
export const CORPUS_WORDS_FILE = 'pronunciations.tsv';
const MAX_VARIANTS = 4;

const TAB = 9;
const NEWLINE = 10;

/** Without the words of the training corpus, it is CMUdict alone. */
export async function loadDictionary(
  modelDir: string,
  { withCorpusWords = true }: { withCorpusWords?: boolean } = {},
): Promise<PronouncingDictionary> {
  const [{ bytes }, corpusWords] = await Promise.all([
    unpackReleasable(join(modelDir, DICTIONARY_FILE)),
    withCorpusWords ? readFile(join(modelDir, CORPUS_WORDS_FILE), 'utf8') : '',
  ]);
  const extraByWord = new Map<string, string[]>();
  for (const line of corpusWords.split('\n')) {
    const [word, phones] = line.split('\t');
    if (word === undefined || phones === undefined || word.startsWith('#')) continue;
    extraByWord.set(word, [...(extraByWord.get(word) ?? []), phones.trim()]);
  }
  const pronunciationsOf = createLookup(bytes);
  return (word): StressedPhone[][] => {
    const variants = new Set([...(extraByWord.get(word) ?? []), ...pronunciationsOf(word)]);
    return [...variants].map((phones) => phones.split(' '));
  };
}

/**
 * Searches the lines in place. These bytes take 4 MiB, whereas an object with 135,000 keys, as in the npm package of
 * the dictionary, takes 60 MiB.
 */
export function createLookup(bytes: Uint8Array<ArrayBuffer>): (word: string) => string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lineStartBefore = (at: number): number => lines.lastIndexOf(NEWLINE, at - 1) + 1;
  return (word) => {
    const key = Buffer.from(`${word}\t`);
    let [low, high] = [0, lines.length];
    // The first line that is not smaller than the key begins at `low` or later, and not after `high`.
    while (low < high) {
      const start = lineStartBefore(((low + high) >>> 1) + 1);
      const end = lines.indexOf(TAB, start) + 1;
      if (lines.compare(key, 0, key.length, start, end) < 0) low = lines.indexOf(NEWLINE, end) + 1;
      else high = start;
    }
    const variants: string[] = [];
    for (let at = low; variants.length < MAX_VARIANTS && at < lines.length;) {
      const end = lines.indexOf(NEWLINE, at);
      if (lines.compare(key, 0, key.length, at, at + key.length) !== 0) break;
      variants.push(lines.toString('latin1', at + key.length, end));
      at = end + 1;
    }
    return variants;
  };
}
