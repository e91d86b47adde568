/** Words that say "I am listening" and ask for no turn: "mm-hm", "yeah", "I see". A person who hears them goes on speaking. */

/** Written down in many ways: mm, mhm, mm-hm, hmm, uh-huh, uh, um, huh, ah, oh, aha. */
const SOUND = /^(m+|m*h+m+|m+h+m*|h+m+h*|(a|u|e)+h*m*|(u+|a+)h+(h|a|u)*h*|o+h+|hu+h+|a+ha+h*|er+m*)$/;

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

/** More in a row is somebody who wants to speak. */
const MOST_PHRASES = 4;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Transcripts write one sound with and without a hyphen.
    .replace(/[-‐‑’']/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** What is left of the words behind those that only agree. */
function behindAgreement(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let phrases = 0; phrases < MOST_PHRASES && rest.length > 0; phrases += 1) {
    const lengths = PHRASES.filter((phrase) => phrase.every((word, at) => rest[at] === word)).map(
      ({ length }) => length,
    );
    const length = Math.max(...lengths, SOUND.test(rest[0] ?? '') ? 1 : 0);
    if (length === 0) break;
    rest = rest.slice(length);
  }
  return rest;
}

/** Whether nothing else is in it; also nothing at all. */
export const isBackchannel = (text: string): boolean => behindAgreement(wordsOf(text)).length === 0;

/** Of words that still come: whether they may turn out to be one. */
export function mayBecomeBackchannel(text: string): boolean {
  const rest = behindAgreement(wordsOf(text));
  return rest.length === 0 || PHRASES.some((phrase) => phrase.join(' ').startsWith(rest.join(' ')));
}
