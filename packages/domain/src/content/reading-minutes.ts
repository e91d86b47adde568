/** How long it takes to read a text. */

const WORDS_A_MINUTE = 220;

/** Whole minutes, at least one. Markdown syntax does not count as words. */
export function readingMinutes(markdown: string): number {
  const words = markdown.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE));
}
