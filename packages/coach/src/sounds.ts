/** Sounds in words that people know who never studied phonetics. */

const EXAMPLE_BY_PHONEME: Readonly<Record<string, string>> = {
  θ: 'the “th” in “three”', ð: 'the “th” in “this”', ɹ: 'the “r” in “red”', l: 'the “l” in “late”', v: 'the “v” in “very”',
  w: 'the “w” in “we”', z: 'the “z” in “zero”', s: 'the “s” in “see”', ʃ: 'the “sh” in “she”', ʒ: 'the “s” in “usually”',
  tʃ: 'the “ch” in “check”', dʒ: 'the “j” in “job”', ŋ: 'the “ng” in “long”', n: 'the “n” in “no”', m: 'the “m” in “me”',
  i: 'the “ee” in “see”', ɪ: 'the “i” in “it”', ɛ: 'the “e” in “let”', æ: 'the “a” in “plan”', ɑ: 'the “o” in “got”',
  ɔ: 'the “aw” in “law”', ʌ: 'the “u” in “much”', ə: 'the weak “a” in “about”', ɝ: 'the “ur” in “turn”', ɚ: 'the “er” in “later”',
  u: 'the “oo” in “soon”', ʊ: 'the “oo” in “good”', eɪ: 'the “ay” in “day”', aɪ: 'the “i” in “time”', oʊ: 'the “o” in “go”',
  aʊ: 'the “ow” in “how”', ɔɪ: 'the “oy” in “boy”', p: 'the “p” in “plan”', b: 'the “b” in “but”', t: 'the “t” in “team”',
  d: 'the “d” in “day”', k: 'the “c” in “cost”', ɡ: 'the “g” in “go”', f: 'the “f” in “five”', h: 'the “h” in “here”', j: 'the “y” in “yes”',
}; // prettier-ignore

/** `the “th” in “three”`; the symbol itself for a sound without an example. */
export const describeSound = (phoneme: string): string => EXAMPLE_BY_PHONEME[phoneme] ?? `the sound /${phoneme}/`;
