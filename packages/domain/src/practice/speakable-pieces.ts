/** Cuts a coach's line into what is spoken at a time, so that its first words are heard while the others are still being found. */

/** What ends a sentence, with the quotes and brackets behind it. */
const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/;
const ENDS_CLAUSE = /[,;:–—]$/;
/** A full stop behind these, or behind an initial, ends nothing by itself. “No.” is far more often a sentence than a number. */
const ABBREVIATION =
  /^["'“‘([]*(mr|mrs|ms|dr|prof|sr|jr|st|mt|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|dept|fig|inc|ltd|\p{L}|(\p{L}\.)+\p{L})\.$/iu;
const WORDS_OF_AN_OPENING = 2;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * The pieces of a line that are complete, in order: sentences, and of the first one its opening up to a comma, because a learner waits for
 * that. Of a line that still grows by whole words, more of it adds pieces and changes none. `Intl.Segmenter` knows sentences better, but it
 * needs the first letter of the next one to tell, and nobody should wait for that.
 */
export function speakablePieces(line: string, { isWhole }: { isWhole: boolean }): string[] {
  const pieces: string[] = [];
  let words: string[] = [];
  for (const word of line.split(/\s+/).filter((part) => part !== '')) {
    words.push(word);
    if (!isOver(words, pieces.length === 0)) continue;
    pieces.push(words.join(' '));
    words = [];
  }
  const rest = words.join(' ');
  return isWhole && SAYS_SOMETHING.test(rest) ? [...pieces, rest] : pieces;
}

function isOver(words: readonly string[], isFirst: boolean): boolean {
  const last = words.at(-1) ?? '';
  if (!words.some((word) => SAYS_SOMETHING.test(word))) return false;
  if (ENDS_SENTENCE.test(last)) return !ABBREVIATION.test(last);
  return isFirst && words.length >= WORDS_OF_AN_OPENING && ENDS_CLAUSE.test(last);
}
