/**
 * Removes the learner's first name from a coach's line before the school sees it, because a language model addresses
 * learners by name.
 */

const PLACEHOLDER = '[name]';
/** A single letter would match in too many other places. */
const MIN_NAME_CHARACTERS = 2;
/** Apostrophes: coaches write typographic ones, keyboards often straight ones. */
const APOSTROPHE = "['’ʼ]";

export function withoutName(line: string, firstName: string | null): string {
  const name = (firstName ?? '').normalize('NFC').trim();
  const patterns = [name, ...name.split(/\s+/u), ...name.split(/[\s-]+/u)]
    .filter((part) => part.length >= MIN_NAME_CHARACTERS)
    // A coach capitalises a name that the learner wrote in lower case, and may write it in capitals for emphasis. In
    // lower case, "will" and "mark" are ordinary words.
    .flatMap((part) => [part, part.charAt(0).toUpperCase() + part.slice(1), part.toUpperCase()])
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/['’ʼ]/gu, APOSTROPHE));
  if (patterns.length === 0) return line;
  const names = new RegExp(`(?<![\\p{L}\\p{M}])(?:${patterns.join('|')})(?![\\p{L}\\p{M}])`, 'gu');
  return line.normalize('NFC').replaceAll(names, PLACEHOLDER);
}
