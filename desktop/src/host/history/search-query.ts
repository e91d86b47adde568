/** Converts a search text into a valid full-text query in which the last word matches as a prefix. */

const WORD = /[\p{L}\p{N}]+/gu;

/** Returns `null` when the text contains no word. */
export function toFullTextQuery(search: string): string | null {
  const words = search.toLowerCase().match(WORD);
  if (words === null) return null;
  return words.map((word, index) => (index === words.length - 1 ? `"${word}"*` : `"${word}"`)).join(' ');
}
