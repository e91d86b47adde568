/**
 * Recognises backchannels: words such as "mm-hm", "yeah" or "I see" that show listening without taking a turn. The coach keeps speaking
 * through them.
 */

/** Transcripts spell these sounds in many ways: mm, mhm, mm-hm, hmm, uh-huh, uh, um, huh, ah, oh, aha. */
const FILLER_SOUND = /^(m+|m*h+m+|m+h+m*|h+m+h*|(a|u|e)+h*m*|(u+|a+)h+(h|a|u)*h*|o+h+|hu+h+|a+ha+h*|er+m*)$/;

const PHRASES: readonly (readonly string[])[] = [
  'yeah',
  'yea',
  'yah',
  'ya',
  'yes',
  'yep',
  'yup',
  'ok',
  'okay',
  'k',
  'right',
  'sure',
  'alright',
  'all right',
  'fine',
  'good',
  'great',
  'nice',
  'cool',
  'wow',
  'true',
  'exactly',
  'indeed',
  'really',
  'of course',
  'i see',
  'i know',
  'got it',
  'go on',
  'oh really',
].map((phrase) => phrase.split(' '));

/** A learner who says more phrases than this in a row wants to speak. */
const MAX_PHRASES = 4;

const toWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Transcripts write one sound with and without a hyphen.
    .replace(/[-‐‑’']/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Returns the words after leading backchannels. */
function wordsAfterBackchannels(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let phrases = 0; phrases < MAX_PHRASES && rest.length > 0; phrases += 1) {
    const lengths = PHRASES.filter((phrase) => phrase.every((word, at) => rest[at] === word)).map(
      ({ length }) => length,
    );
    const length = Math.max(...lengths, FILLER_SOUND.test(rest[0] ?? '') ? 1 : 0);
    if (length === 0) break;
    rest = rest.slice(length);
  }
  return rest;
}

/** Returns whether the text is empty or contains only backchannels. */
export const isBackchannel = (text: string): boolean => wordsAfterBackchannels(toWords(text)).length === 0;

/** For a partial transcript: returns whether it can still become a backchannel. */
export function mayBecomeBackchannel(text: string): boolean {
  const rest = wordsAfterBackchannels(toWords(text));
  return rest.length === 0 || PHRASES.some((phrase) => phrase.join(' ').startsWith(rest.join(' ')));
}
