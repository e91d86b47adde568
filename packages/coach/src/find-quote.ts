/** Finds what somebody quotes from a text, and gives it back as it stands there. */
import { comparableWords, findPhrase } from './words.ts';

/** From the first character to the one behind the last. */
export interface Span {
  from: number;
  to: number;
}

/** Null where the words do not stand there in order and together. Case, punctuation, contractions and typing slips do not matter. */
export function findQuote(text: string, quoted: string): Span | null {
  const placed = [...text.matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) =>
    comparableWords(chunk).map((word) => ({ word, ...coreOf(chunk, index) })),
  );
  const phrase = comparableWords(quoted);
  const at = findPhrase(
    placed.map(({ word }) => word),
    phrase,
  );
  const [first, last] = [placed[at], placed[at + phrase.length - 1]];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

/** Without the punctuation around it. */
function coreOf(chunk: string, index: number): Span {
  const before = /^[^\p{L}\p{N}]*/u.exec(chunk)?.[0].length ?? 0;
  const after = /[^\p{L}\p{N}]*$/u.exec(chunk)?.[0].length ?? 0;
  return { from: index + before, to: index + chunk.length - after };
}

export const overlaps = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to;

/** A piece of the text itself, cut after a whole word where it is too long. */
export function quoteAt(text: string, { from, to }: Span, maxChars: number): string {
  const quote = text.slice(from, to);
  return quote.length <= maxChars ? quote : quote.slice(0, maxChars).replace(/\s+\S*$/, '');
}
