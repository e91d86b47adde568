/** Splits a coach's reply into segments for speech synthesis, so that playback can start before the reply is complete. */

/** Matches the end of a sentence, including closing quotes and brackets. */
const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/;
const ENDS_CLAUSE = /[,;:–—]$/;
/**
 * A full stop after these abbreviations or after an initial does not end a sentence. "No." is absent because it is far more often a
 * sentence than a number, and "I." because it is far more often the pronoun than an initial.
 */
const ABBREVIATION =
  /^["'“‘([]*(mr|mrs|ms|dr|prof|sr|jr|st|mt|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|dept|fig|inc|ltd|(?!i\.)\p{L}|(\p{L}\.)+\p{L})\.$/iu;
const MIN_OPENING_WORDS = 2;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/**
 * Returns the completed segments of a reply in order: sentences, and for the first sentence its opening clause, because the learner is
 * waiting for audio. When the reply grows by whole words, new text only adds segments. `Intl.Segmenter` finds sentences more accurately,
 * but it needs the first letter of the next sentence, which would delay playback.
 */
export function splitForSpeech(line: string, { isComplete }: { isComplete: boolean }): string[] {
  const segments: string[] = [];
  let words: string[] = [];
  for (const word of line.split(/\s+/).filter((part) => part !== '')) {
    words.push(word);
    if (!endsSegment(words, segments.length === 0)) continue;
    segments.push(words.join(' '));
    words = [];
  }
  const rest = words.join(' ');
  return isComplete && WORD_CHARACTER.test(rest) ? [...segments, rest] : segments;
}

function endsSegment(words: readonly string[], isFirst: boolean): boolean {
  const last = words.at(-1) ?? '';
  if (!words.some((word) => WORD_CHARACTER.test(word))) return false;
  if (ENDS_SENTENCE.test(last)) return endsSentence(last);
  return isFirst && words.length >= MIN_OPENING_WORDS && ENDS_CLAUSE.test(last);
}

/** Whether a word ends a sentence, as far as that can be told without the next word. */
export const endsSentence = (word: string): boolean => ENDS_SENTENCE.test(word) && !ABBREVIATION.test(word);
