/** Converts sentences to comparable words: contractions and short forms are expanded, case and punctuation removed. */
import { writeOutWords } from './short-forms.ts';

type Replacement = readonly [RegExp, string];

const CONTRACTIONS: readonly Replacement[] = [
  [/\bcan't\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/\bshan't\b/g, 'shall not'],
  [/n't\b/g, ' not'],
  [/\blet's\b/g, 'let us'],
  [/\b(it|that|he|she|what|where|who|there|here|how)'s\b/g, '$1 is'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'m\b/g, ' am'],
  [/'d\b/g, ' would'],
  [/'s\b/g, ' s'],
];
/** Recognisers and hasty writers leave the apostrophe out. */
const WITHOUT_APOSTROPHE: readonly Replacement[] = [
  [/\bcannot\b/g, 'can not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|could|would|should|must)nt\b/g, '$1 not'],
  [/\bcant\b/g, 'can not'],
  [/\bwont\b/g, 'will not'],
  [/\b(that|what|there|who)s\b/g, '$1 is'],
  [/\b(you|they)re\b/g, '$1 are'],
  [/\b(i|you|they)ve\b/g, '$1 have'],
  [/\bim\b/g, 'i am'],
  [/\bok\b/g, 'okay'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
];

export function comparableWords(text: string): string[] {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ`´]/g, "'");
  // Most texts have no apostrophe, and thousands of texts are read when a scene is prepared.
  const replacements = plain.includes("'") ? [...CONTRACTIONS, ...WITHOUT_APOSTROPHE] : WITHOUT_APOSTROPHE;
  for (const [contraction, opened] of replacements) plain = plain.replace(contraction, opened);
  return writeOutWords(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''));
}

/** Function words carry grammar rather than meaning, so a missing one matters little. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the to of in on at for with by from and or so but that this it is are am was were be been being do does did have has had ' +
    'will would shall should can could may might i you he she we they me him her us them my your his our their its as if then than ' +
    'just very really please well s there here about into up out'
  ).split(' '),
);
export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);

const NEGATIONS: ReadonlySet<string> = new Set([
  'not',
  'no',
  'never',
  'nothing',
  'nobody',
  'none',
  'without',
  'unable',
]);
export const isNegated = (words: readonly string[]): boolean =>
  words.filter((word) => NEGATIONS.has(word)).length % 2 === 1;

/** Allows one typing slip in words of four or more letters. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const leftA = a.slice(start, a.length - end);
  const leftB = b.slice(start, b.length - end);
  const isSwap = leftA.length === 2 && leftB.length === 2 && leftA[0] === leftB[1] && leftA[1] === leftB[0];
  return isSwap || (leftA.length <= 1 && leftB.length <= 1);
}

/** Returns where `phrase` first occurs in `words` without gaps, or -1. Typing slips are tolerated. */
export function findPhrase(words: readonly string[], phrase: readonly string[]): number {
  if (phrase.length === 0) return -1;
  return words.findIndex((_, start) => phrase.every((word, at) => isSameWord(words[start + at] ?? '', word)));
}

export const containsPhrase = (words: readonly string[], phrase: readonly string[]): boolean =>
  findPhrase(words, phrase) >= 0;
