/** Finds a quoted passage in a text and returns it as it is written there. */
import { comparableWords, findPhrase } from './comparable-words.ts';

/** `from` is inclusive and `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** Returns null when the words do not appear together and in order. It ignores case, punctuation, contractions and typing slips. */
export function findQuote(text: string, quotation: string): Span | null {
  const wordSpans = [...text.matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) =>
    comparableWords(chunk).map((word) => ({ word, ...withoutPunctuation(chunk, index) })),
  );
  const phrase = comparableWords(quotation);
  const at = findPhrase(
    wordSpans.map(({ word }) => word),
    phrase,
  );
  const [first, last] = [wordSpans[at], wordSpans[at + phrase.length - 1]];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** Trims the surrounding punctuation. */
function withoutPunctuation(chunk: string, index: number): Span {
  const before = /^[^\p{L}\p{N}]*/u.exec(chunk)?.[0].length ?? 0;
  const after = /[^\p{L}\p{N}]*$/u.exec(chunk)?.[0].length ?? 0;
  return { from: index + before, to: index + chunk.length - after };
}

export const overlaps = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

/** Returns part of the text, cut after a whole word when it is too long. */
export function sliceQuote(text: string, { from, to }: Span, maxChars: number): string {
  const quote = text.slice(from, to);
  return quote.length <= maxChars ? quote : quote.slice(0, maxChars).replace(/\s+\S*$/, '');
}
