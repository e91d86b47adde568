/** Imitates the errors of a speech recogniser: words that sound alike, missing words, and no punctuation. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { editDistance } from './edit-distance.ts';

const DELETED_SHARE = 0.3;
const MAX_CHOICES = 4;

/** Maps sounds that recognisers confuse to one letter, and vowels between consonants to another. */
const SOUND_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/(?:ck|[gkq]|c(?![eiyh]))/g, 'k'],
  [/(?:sh|ch|tch|j)/g, 'j'],
  [/(?:th|[dt])/g, 't'],
  [/[bp]/g, 'p'],
  [/[vf]/g, 'f'],
  [/[csxz]/g, 's'],
  [/[mn]/g, 'n'],
  [/[lr]/g, 'l'],
  [/[hwy]/g, ''],
  [/[aeiou]+/g, 'a'],
  [/(.)\1+/g, '$1'],
];

const soundOf = (word: string): string =>
  SOUND_GROUPS.reduce((sound, [pattern, letter]) => sound.replaceAll(pattern, letter), word.toLowerCase());

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+|\d+/g) ?? [];

/** The words of the coaches' lines and model replies, which a recogniser expects. */
function loadVocabulary(): string[] {
  const texts = loadStarterCatalogue().practices.flatMap(({ dialogue }) =>
    (dialogue?.nodes ?? []).flatMap(({ say, replies }) => [
      ...Object.values(say),
      ...Object.values(replies).flatMap((each) => each.map(({ text }) => text)),
    ]),
  );
  return [...new Set(texts.flatMap(wordsOf))].toSorted();
}

/** Returns a function that changes this share of words; the same seed gives the same errors. */
export function createWordErrors(share: number, seed: number): (text: string) => string {
  const vocabulary = loadVocabulary().map((word) => ({ word, sound: soundOf(word) }));
  const alike = new Map<string, string[]>();
  let state = seed;
  const random = (): number => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  function soundsLike(word: string): string {
    const sound = soundOf(word);
    const known =
      alike.get(word) ??
      vocabulary
        .filter((other) => other.word !== word && Math.abs(other.sound.length - sound.length) < 2)
        .map((other) => ({ word: other.word, far: editDistance(sound, other.sound) }))
        .toSorted((a, b) => a.far - b.far)
        .slice(0, MAX_CHOICES)
        .map((other) => other.word);
    alike.set(word, known);
    return known[Math.floor(random() * known.length)] ?? word;
  }
  return (text) =>
    wordsOf(text)
      .flatMap((word) => {
        if (random() >= share) return [word];
        return random() < DELETED_SHARE ? [] : [soundsLike(word)];
      })
      .join(' ');
}
