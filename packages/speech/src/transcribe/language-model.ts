/** Predicts the next word from the one before it: everyday English, mixed with the texts of the current practice. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { spokenForm } from '../pronounce/spoken-form.ts';

export const LANGUAGE_FILE = 'language.tsv.br';

/** How often words and pairs of words occur. The empty word marks the beginning and the end of a sentence. */
export interface WordCounts {
  words: Map<string, number>;
  pairs: Map<string, Map<string, number>>;
}

export interface LanguageModel {
  /** Every word that can be predicted. */
  vocabulary: readonly string[];
  /** The natural logarithm of the probability of `word` after `previous`; the empty word is the beginning or the end. */
  logProbability: (previous: string, word: string) => number;
  /** The same, regardless of the previous word. */
  logProbabilityAlone: (word: string) => number;
}

export const BOUNDARY = '';
/** Taken from each count, in favour of words that have not followed yet (absolute discounting, Ney et al., 1994). */
const DISCOUNT = 0.75;
/** Added to each count of a single word. */
const UNSEEN_COUNT = 0.5;
/**
 * The weight of the practice's own texts in the prediction. It was tuned on half of the adult learners and confirmed on
 * the other half (EXPERIMENTS.md).
 */
const CONTEXT_SHARE = 0.7;

const emptyCounts = (): WordCounts => ({ words: new Map(), pairs: new Map() });

function addPair({ words, pairs }: WordCounts, [previous, word]: [string, string], count: number): void {
  words.set(word, (words.get(word) ?? 0) + count);
  const followers = pairs.get(previous) ?? new Map<string, number>();
  followers.set(word, (followers.get(word) ?? 0) + count);
  pairs.set(previous, followers);
}

/** Counts the words of texts as they are spoken: numbers are spelled out. */
export function countWords(texts: readonly string[]): WordCounts {
  const counts = emptyCounts();
  for (const text of texts)
    for (const words of sentencesOf(text))
      [...words, BOUNDARY].forEach((word, index) => {
        addPair(counts, [words[index - 1] ?? BOUNDARY, word], 1);
      });
  return counts;
}

/** The spoken words of each sentence. The dots in “3.5”, “Nov. 3” and “www.example.com” do not end one. */
function sentencesOf(text: string): string[][] {
  const sentences: string[][] = [[]];
  for (const line of text.split('\n')) {
    for (const { spoken, pauseAfter } of spokenForm(line)) {
      sentences.at(-1)?.push(...spoken);
      if (pauseAfter === 'should') sentences.push([]);
    }
    sentences.push([]);
  }
  return sentences.filter((words) => words.length > 0);
}

/** Parses lines `previous<TAB>word<TAB>count`; a line without a previous word and with a leading `=` counts a word that is rare after any. */
export async function loadWordCounts(file: string): Promise<WordCounts> {
  const counts = emptyCounts();
  const text = (await promisify(brotliDecompress)(await readFile(file))).toString('utf8');
  for (const line of text.split('\n')) {
    const [previous = '', word, count] = line.split('\t');
    if (word === undefined || count === undefined) continue;
    if (previous === '=') counts.words.set(word, (counts.words.get(word) ?? 0) + Number(count));
    else addPair(counts, [previous, word], Number(count));
  }
  return counts;
}

export function createLanguageModel(everyday: WordCounts, context: WordCounts | null): LanguageModel {
  const vocabulary = [...new Set([...everyday.words.keys(), ...(context?.words.keys() ?? [])])].filter(
    (word) => word !== BOUNDARY,
  );
  const general = probabilityFrom(everyday, vocabulary.length);
  const own = context === null ? null : probabilityFrom(context, vocabulary.length);
  const logProbability = (previous: string | null, word: string): number =>
    Math.log(
      own === null
        ? general(previous, word)
        : CONTEXT_SHARE * own(previous, word) + (1 - CONTEXT_SHARE) * general(previous, word),
    );
  return { vocabulary, logProbability, logProbabilityAlone: (word) => logProbability(null, word) };
}

function probabilityFrom(
  { words, pairs }: WordCounts,
  vocabulary: number,
): (previous: string | null, word: string) => number {
  let total = UNSEEN_COUNT * (vocabulary + 1);
  for (const count of words.values()) total += count;
  const single = (word: string): number => ((words.get(word) ?? 0) + UNSEEN_COUNT) / total;
  const totals = new Map<string, number>();
  for (const [previous, followers] of pairs)
    totals.set(
      previous,
      [...followers.values()].reduce((sum, count) => sum + count, 0),
    );
  return (previous, word) => {
    if (previous === null) return single(word);
    const followers = pairs.get(previous);
    const all = totals.get(previous) ?? 0;
    if (followers === undefined || all === 0) return single(word);
    const seen = Math.max(0, (followers.get(word) ?? 0) - DISCOUNT);
    return (seen + DISCOUNT * followers.size * single(word)) / all;
  };
}
