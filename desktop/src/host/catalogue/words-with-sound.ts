/** Finds words that contain a sound the learner is working on, using only spellings that are unambiguous. */

/** Words in which “th” stands for the sound ð. */
const VOICED_TH = new Set(
  'with within without the this that these those them they their there then than though thus with other another mother father brother weather whether together rather either neither clothes breathe bathe smooth southern northern worthy'.split(
    ' ',
  ),
);

const SPELLINGS: Readonly<Record<string, (word: string) => boolean>> = {
  θ: (word) => word.includes('th') && !VOICED_TH.has(word),
  ð: (word) => VOICED_TH.has(word),
  ʃ: (word) => /sh(?!h)|tion|cial/.test(word),
  v: (word) => word.includes('v'),
  w: (word) => /^wh?[aeiu]/.test(word) && !word.startsWith('who'),
  ŋ: (word) => word.endsWith('ng'),
  l: (word) => /^l|l[aeiou]/.test(word),
  ɹ: (word) => /^r|[^aeiou]r[aeiou]/.test(word),
};

export const hasKnownSpelling = (sound: string): boolean => SPELLINGS[sound] !== undefined;

/** Capitalised words (names and the first words of sentences) and contractions such as “wasn’t” are left out. */
export const wordsWithSound = (sound: string, texts: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => text.match(/[\p{L}'’]+/gu) ?? [])
      .filter((word) => /^[a-z]{3,}$/.test(word) && (SPELLINGS[sound]?.(word) ?? false)),
  ),
];
