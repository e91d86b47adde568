/** Finds a quoted passage in a text and returns it as it is written there. */
import { comparableWords, findPhrase } from './comparable-words.ts';

/** `from` is inclusive and `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface WordSpan extends Span {
  word: string;
}

/** Returns null when the words do not appear together and in order. It ignores case, punctuation, contractions and typing slips. */
export const findQuote = (text: string, quotation: string): Span | null => findSpan(splitWords(text), quotation);

/** A real conversation is far shorter. Searching one that is as long as a device can send takes minutes. */
const MAX_SEARCHED_WORDS = 20_000;

export type FindQuoteInTexts = (quotation: string) => { text: string; span: Span } | null;

/** Finds many quotations in the same texts; the oldest of very long ones are not searched. */
export function createQuoteFinder(texts: readonly string[]): FindQuoteInTexts {
  const searched: { text: string; words: WordSpan[] }[] = [];
  let remainingWords = MAX_SEARCHED_WORDS;
  for (const text of texts.toReversed()) {
    if (remainingWords <= 0) break;
    const words = splitWords(text);
    remainingWords -= words.length;
    searched.unshift({ text, words });
  }
  return (quotation) => {
    for (const { text, words } of searched) {
      const span = findSpan(words, quotation);
      if (span !== null) return { text, span };
    }
    return null;
  };
}

const splitWords = (text: string): WordSpan[] =>
  [...text.matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) => {
    // Measured once for all words of the chunk: text without spaces can contain thousands.
    const span = withoutPunctuation(chunk, index);
    return comparableWords(chunk).map((word) => ({ word, ...span }));
  });

function findSpan(words: readonly WordSpan[], quotation: string): Span | null {
  const phrase = comparableWords(quotation);
  const at = findPhrase(
    words.map(({ word }) => word),
    phrase,
  );
  const [first, last] = [words[at], words[at + phrase.length - 1]];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** Trims the surrounding punctuation. */
function withoutPunctuation(chunk: string, index: number): Span {
  const words = [...chunk.matchAll(/[\p{L}\p{N}]+/gu)];
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return { from: index, to: index + chunk.length };
  return { from: index + first.index, to: index + last.index + last[0].length };
}

export const overlaps = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

/** Returns part of the text, cut after a whole word when it is too long. */
export function sliceQuote(text: string, { from, to }: Span, maxChars: number): string {
  const quote = text.slice(from, to);
  return quote.length <= maxChars ? quote : quote.slice(0, maxChars).replace(/\s+\S*$/, '');
}
