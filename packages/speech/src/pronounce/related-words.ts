/**
 * Derives a word that the dictionary lacks from one that it contains: from the American spelling, from the word that it
 * is a form of, or from its parts.
 */
import type { PronouncingDictionary, StressedPhone } from './phones.ts';

/** British spellings that no rule covers. */
const AMERICAN_WORDS: ReadonlyMap<string, string> = new Map(Object.entries({
  jewellery: 'jewelry', pyjamas: 'pajamas', yoghurt: 'yogurt', yoghurts: 'yogurts', aeroplane: 'airplane', aeroplanes: 'airplanes',
  ageing: 'aging',
})); // prettier-ignore

/**
 * The dictionary is American. A respelling counts only if it is a word in the dictionary, so a rule may match too much.
 */
const AMERICAN_SPELLINGS: readonly (readonly [british: RegExp, american: string])[] = [
  [/is(?=(?:e|ed|es|er|ers|ing|able|ation|ations|ational)$)/, 'iz'],
  [/ys(?=(?:e|ed|es|er|ers|ing)$)/, 'yz'],
  [/our(?!e$)/, 'or'],
  [/[ao]e(?=[a-z])/g, 'e'],
  [/(?<=[bgtv])re(?=s?$)/, 'er'],
  [/(?<=[btv])r(?=(?:ed|ing)$)/, 'er'],
  [/ll(?=(?:ed|er|ers|ing|or|ors|ous)$)/, 'l'],
  [/(?<!l)l(?=(?:s|ments?|ful|fully)?$)/, 'll'],
  [/enc(?=es?$)/, 'ens'],
  [/isi(?=ng$)/, 'ici'],
  [/mme(?=s?$)/, 'm'],
  [/^sc(?=ep)/, 'sk'],
];

interface Ending {
  letters: RegExp;
  /** What the stem may end with in place of the ending. */
  stems: readonly string[];
  sound: (stem: readonly StressedPhone[]) => StressedPhone[];
}

const fixed = (phones: string) => (): StressedPhone[] => phones.split(' ');

/** Forms with more specific letters come first. */
const ENDINGS: readonly Ending[] = [
  { letters: /ies$/, stems: ['y'], sound: pluralEnding },
  { letters: /(?<=[sxzo]|[cs]h)es$/, stems: [''], sound: pluralEnding },
  { letters: /(?<!s)s$/, stems: [''], sound: pluralEnding },
  { letters: /ied$/, stems: ['y'], sound: pastEnding },
  { letters: /ed$/, stems: ['e', ''], sound: pastEnding },
  { letters: /ing$/, stems: ['e', ''], sound: fixed('IH0 NG') },
  { letters: /ier$/, stems: ['y'], sound: fixed('ER0') },
  { letters: /er$/, stems: ['e', ''], sound: fixed('ER0') },
  { letters: /iest$/, stems: ['y'], sound: fixed('AH0 S T') },
  { letters: /est$/, stems: ['e', ''], sound: fixed('AH0 S T') },
  { letters: /able$/, stems: ['e', ''], sound: fixed('AH0 B AH0 L') },
  { letters: /i[sz]e$/, stems: [''], sound: fixed('AY0 Z') },
  { letters: /ment$/, stems: [''], sound: fixed('M AH0 N T') },
  { letters: /iness$/, stems: ['y'], sound: fixed('N AH0 S') },
  { letters: /ness$/, stems: [''], sound: fixed('N AH0 S') },
  { letters: /less$/, stems: [''], sound: fixed('L AH0 S') },
  { letters: /ful$/, stems: [''], sound: fixed('F AH0 L') },
  { letters: /bly$/, stems: ['ble'], sound: adverbEnding },
  { letters: /ally$/, stems: ['al', ''], sound: adverbEnding },
  { letters: /ly$/, stems: [''], sound: adverbEnding },
];
/** “Paler” and “lacing” are forms of “pale” and “lace” though there is a “pal”; “temping” is one of “temp” though there is a “Tempe”. */
const MAY_HAVE_LOST_E = /(?:[aeiouy][^aeiouwxy]?|[cgvz]|[^s]s|st|th)$/;
/** Before these, a consonant may be written twice: “rebooted” and “unplugged”. */
const DOUBLES_CONSONANT = /([^aeiou])\1(?:ed|ing|er|est|able)$/;

/** Prefixes that are not words on their own, or are pronounced differently. */
const PREFIXES: ReadonlyMap<string, string> = new Map(Object.entries({
  re: 'R IY0', un: 'AH0 N', dis: 'D IH0 S', mis: 'M IH0 S', pre: 'P R IY0', co: 'K OW0', non: 'N AA0 N', up: 'AH0 P',
  micro: 'M AY1 K R OW0', multi: 'M AH1 L T IY0', cyber: 'S AY1 B ER0', tele: 'T EH1 L AH0',
})); // prettier-ignore

const MIN_STEM_LETTERS = 3;
const MIN_PART_LETTERS = 4;
/** Longer ones are not words. */
const MAX_LETTERS = 40;

type Phones = readonly StressedPhone[];

/** Most likely first; empty when no related word is known. */
export function pronounceRelated(word: string, dictionary: PronouncingDictionary): StressedPhone[][] {
  if (word.length > MAX_LETTERS) return [];
  const known = pronounceForm(word, dictionary);
  return (known.length > 0 ? known : pronounceParts(word, dictionary)).map((phones) => [...phones]);
}

/** The word itself, its American spelling, or a form of one of them. */
function pronounceForm(word: string, dictionary: PronouncingDictionary): readonly Phones[] {
  for (const spelling of spellingsOf(word)) {
    const known = dictionary(spelling);
    if (known.length > 0) return known;
  }
  for (const { letters, stems, sound } of ENDINGS) {
    if (!letters.test(word)) continue;
    const start = word.replace(letters, '');
    const ends = stems[0] === 'e' && !MAY_HAVE_LOST_E.test(start) ? stems.toReversed() : stems;
    const single = DOUBLES_CONSONANT.test(word) ? [start.slice(0, -1)] : [];
    for (const stem of [...ends.map((end) => start + end), ...single]) {
      const known = stem.length < MIN_STEM_LETTERS ? [] : pronounceForm(stem, dictionary);
      if (known.length > 0) return known.map((phones) => [...phones, ...sound(phones)]);
    }
  }
  return [];
}

/** The word and its American spellings, in which more than one rule may apply. */
function spellingsOf(word: string): string[] {
  const spellings = new Set([word, AMERICAN_WORDS.get(word) ?? word]);
  for (const [british, american] of AMERICAN_SPELLINGS)
    for (const spelling of spellings) spellings.add(spelling.replace(british, american));
  return [...spellings];
}

/** A prefix and a word, or two words. */
function pronounceParts(word: string, dictionary: PronouncingDictionary): readonly Phones[] {
  for (let at = 2; at <= word.length - MIN_PART_LETTERS; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    const prefix = PREFIXES.get(first);
    const firsts = prefix === undefined ? wordBefore(first, second, dictionary) : [prefix.split(' ')];
    const seconds = firsts.length === 0 ? [] : pronounceForm(second, dictionary);
    const [usualFirst, usualSecond] = [firsts[0], seconds[0]];
    if (usualFirst === undefined || usualSecond === undefined) continue;
    return [
      ...seconds.map((phones) => [...usualFirst, ...phones]),
      ...firsts.slice(1).map((phones) => [...phones, ...usualSecond]),
    ];
  }
  return [];
}

function wordBefore(first: string, second: string, dictionary: PronouncingDictionary): readonly Phones[] {
  if (first.length < MIN_PART_LETTERS) return [];
  // “payslips” is not “pays” and “lips”, and “toothaches” does not begin with “toot”.
  const isCutLater = second.startsWith('h') && dictionary(`${first}h`).length > 0;
  const isCutEarlier = first.endsWith('s') && dictionary(`s${second}`).length > 0;
  return isCutLater || isCutEarlier ? [] : dictionary(first);
}

/** The ending of a plural, of a possessive, and of a verb after “she”. */
export function pluralEnding(stem: Phones): StressedPhone[] {
  const last = stem.at(-1) ?? '';
  if (/^(S|Z|SH|ZH|CH|JH)$/.test(last)) return ['IH0', 'Z'];
  return /^(P|T|K|F|TH)$/.test(last) ? ['S'] : ['Z'];
}

function pastEnding(stem: Phones): StressedPhone[] {
  const last = stem.at(-1) ?? '';
  if (/^[TD]$/.test(last)) return ['IH0', 'D'];
  return /^(P|K|F|TH|S|SH|CH)$/.test(last) ? ['T'] : ['D'];
}

function adverbEnding(stem: Phones): StressedPhone[] {
  return stem.at(-1) === 'L' ? ['IY0'] : ['L', 'IY0'];
}
