/** Turns what a learner types into a full-text query that cannot be malformed: every word, the last one as a beginning. */

const WORD = /[\p{L}\p{N}]+/gu;

/** Null when there is nothing to search for. */
export function toFullTextQuery(search: string): string | null {
  const words = search.toLowerCase().match(WORD);
  if (words === null) return null;
  return words.map((word, index) => (index === words.length - 1 ? `"${word}"*` : `"${word}"`)).join(' ');
}
