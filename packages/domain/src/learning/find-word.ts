/** Finds a listed word in a text or a recording. The scorer splits "well-known" and "make up", so a listed word may have several parts. */
import { listedSpelling, normalizeSpelling } from './word-attempt.ts';

/** The words into which the scorer splits a text, in the spelling of the list. */
const partsOf = (text: string): string[] =>
  normalizeSpelling(text)
    .split(/[\s/\p{Pd}]+/u)
    .map(listedSpelling)
    .filter((part) => part !== '');

/** The first and last position in a list, both included. */
export interface WordRun {
  first: number;
  last: number;
}

/** Where a listed word occurs among the words of a text or of an assessment. */
export function findWord(word: string, among: readonly string[]): WordRun[] {
  const wanted = partsOf(word);
  if (wanted.length === 0) return [];
  const parts = among.flatMap((text, place) => partsOf(text).map((part) => ({ part, place })));
  return parts.flatMap(({ place: first }, start) => {
    const found = parts.slice(start, start + wanted.length);
    const last = found.at(-1)?.place;
    const isFound = found.length === wanted.length && wanted.every((part, index) => found[index]?.part === part);
    return isFound && last !== undefined ? [{ first, last }] : [];
  });
}
