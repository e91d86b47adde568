/** Writes out what learners shorten when they type in a hurry, and restores apostrophes that recognisers leave out. */

const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  `pls: please; plz: please; thx: thanks; thks: thanks; tnx: thanks; sry: sorry; np: no problem; idk: i do not know;
   dunno: do not know; asap: as soon as possible; gotta: have to; lemme: let me; gimme: give me; ofc: of course; btw: by the way;
   cuz: because; coz: because; bc: because; tmrw: tomorrow; tmr: tomorrow; ur: your; u: you; r: are; yea: yeah`
    .split(';')
    .map((entry): [string, string] => {
      const [short = '', long = ''] = entry.trim().split(': ');
      return [short, long];
    }),
);

/** "U" and "r" may be letters that a learner spells: "M o r e a u", "R, U, I, Z". */
const MAX_SINGLE_LETTERS = 2;
/** Nobody spells more; a text of nothing but letters would otherwise be read again for each of them. */
const MAX_LETTERS_AROUND = 12;
const isLetter = (word: string | undefined): boolean => word !== undefined && /^\p{L}$/u.test(word);
/** "I" and "a" are words as well: "u r a star", "can i call u". */
const isWordOfOneLetter = (word: string): boolean => word === 'i' || word === 'a';

function isSpelled(words: readonly string[], at: number): boolean {
  let [from, to] = [at, at];
  while (at - from < MAX_LETTERS_AROUND && isLetter(words[from - 1])) from -= 1;
  while (to - at < MAX_LETTERS_AROUND && isLetter(words[to + 1])) to += 1;
  while (isWordOfOneLetter(words[from] ?? '') && from < at) from += 1;
  while (isWordOfOneLetter(words[to] ?? '') && to > at) to -= 1;
  return to - from + 1 > MAX_SINGLE_LETTERS || words.slice(from, to + 1).some((word) => word !== 'u' && word !== 'r');
}

/** `words` are in lower case. Null when the word at this place is not a short form. */
function longFormAt(words: readonly string[], at: number): string | null {
  const word = words[at] ?? '';
  const long = SHORT_FORMS.get(word) ?? null;
  return long !== null && isLetter(word) && isSpelled(words, at) ? null : long;
}

export const writeOutWords = (words: readonly string[]): string[] =>
  words.some((word) => SHORT_FORMS.has(word))
    ? words.flatMap((word, at) => longFormAt(words, at)?.split(' ') ?? word)
    : [...words];

const WITHOUT_APOSTROPHE: readonly (readonly [RegExp, string])[] = [
  [/\b(do|does|did|is|are|was|were|have|has|had|could|would|should|must)nt\b/gi, "$1n't"],
  [/\b(ca|wo)nt\b/gi, "$1n't"],
  [/\b(that|what|there|who)s\b/gi, "$1's"],
  [/\b(you|they)re\b/gi, "$1're"],
  [/\b(i|you|they)ve\b/gi, "$1've"],
  [/\bim\b/gi, "I'm"],
];

/** The text as the author of a scene would write it, with its punctuation. */
export function writeOutText(text: string): string {
  let written = text;
  for (const [without, withApostrophe] of WITHOUT_APOSTROPHE) written = written.replaceAll(without, withApostrophe);
  const parts = written.split(/([\p{L}\p{N}'’]+)/u);
  const words = parts.flatMap((part, at) => (at % 2 === 1 ? part.toLowerCase() : []));
  return parts.map((part, at) => (at % 2 === 1 ? (longFormAt(words, (at - 1) / 2) ?? part) : part)).join('');
}
