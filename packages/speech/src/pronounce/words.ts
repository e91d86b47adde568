/** Says words, abbreviations and mixtures of letters and digits. */
import { pluralOf, sayCardinal, sayYear } from './numbers.ts';
import { MAX_CARDINAL_DIGITS, sayNumber } from './quantities.ts';
import { sayUnit } from './units.ts';

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(Object.entries({
  mr: 'mister', mrs: 'missus', ms: 'miz', dr: 'doctor', prof: 'professor', st: 'saint', vs: 'versus', etc: 'et cetera',
  eg: 'for example', ie: 'that is', approx: 'approximately', dept: 'department', asap: 'a s a p', ok: 'okay', fyi: 'f y i', aka: 'a k a', incl: 'including', excl: 'excluding', govt: 'government', mgmt: 'management',
  ios: 'i o s', blvd: 'boulevard',
  'wi-fi': 'wifi', 'sci-fi': 'sci-fi',
  'c++': 'c plus plus', 'w/o': 'without', 'w/': 'with', '⁓': 'to', '×': 'times', '÷': 'divided by', '&': 'and', '%': 'percent', '+': 'plus', '=': 'equals', '@': 'at', '#': 'number', '№': 'number',
})); // prettier-ignore

/** Letters that are no letter and accent, by what English speakers read them as. */
const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i',
}; // prettier-ignore

/** The letters of a word in lower case, as in “soren” for “Søren”. */
export const foldLetters = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øłđðþßæœı]/g, (letter) => LATIN_LETTERS[letter] ?? letter);

export const isAbbreviation = (word: string): boolean => ABBREVIATIONS.has(word);

/** Letters of a code that are said one by one, unless they may be a word like “MAX”. */
const CODE_LETTERS = /^(?![^AEIOU][AEIOU][^AEIOU]$)[A-Z]{2,3}$/;

/** Compounds in which some parts have digits, such as “4th-floor”, “mid-2025” and “5-kg”. */
export function sayCompound(token: string): string[] | null {
  if (!/^[\p{L}\d'%]+(-[\p{L}\d']+)+$/u.test(token) || !/\d/.test(token) || !/\p{L}/u.test(token)) return null;
  const parts = token.split('-');
  return parts.flatMap((part, index) => {
    const unit = /^\d+$/.test(parts[index - 1] ?? '') ? sayUnit(part, { isOne: true }) : null;
    const decade = /^((?:\d\d)?\d0)s$/.exec(part)?.[1];
    if (decade !== undefined && index > 0) {
      const words = decade.length === 4 ? sayYear(Number(decade)) : sayCardinal(Number(decade));
      return [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')];
    }
    const spelled = CODE_LETTERS.test(part) ? [...part.toLowerCase()] : null;
    return unit ?? sayNumber(part) ?? spelled ?? sayWords(part);
  });
}

/** “FY2024” ends with a year. */
const sayDigitsOf = (digits: string): string[] =>
  /^20[1-4]\d$/.test(digits) ? sayYear(Number(digits)) : sayCardinal(Number(digits.slice(0, MAX_CARDINAL_DIGITS)));

/** “Mmm” and “hmmm” have any number of letters. */
function sayHum(token: string): string | null {
  if (/^[Mm]m+$/.test(token)) return 'mm';
  if (/^[Hh]+m{2,}$/.test(token)) return 'hmm';
  return /^[Mm]+-?h+m+$/.test(token) ? 'mhm' : null;
}

export function sayWords(token: string): string[] {
  const hum = sayHum(token);
  if (hum !== null) return [hum];
  const known = ABBREVIATIONS.get(token.toLowerCase().replaceAll('.', ''));
  if (known !== undefined) return known.split(' ');
  if (/^([A-Za-z]\.)+[A-Za-z]?$/.test(token)) return [...token.replaceAll('.', '').toLowerCase()];
  const note = /^([A-G])#$/i.exec(token)?.[1];
  if (note !== undefined) return [note.toLowerCase(), 'sharp'];
  // “AT&T” is not “at and t”.
  if (/^[A-Z]{1,2}&[A-Z]{1,2}$/.test(token))
    return [...token.toLowerCase().replace('&', '+')].map((letter) => (letter === '+' ? 'and' : letter));
  if (/^@\p{L}/u.test(token)) return ['at', ...sayWords(token.slice(1))];
  // The letters of codes such as “CO2” and “BA117” are said one by one, but “TOP10” and “DAY1” begin with words.
  const separated = token
    .normalize('NFKC')
    .replace(/^(?![^AEIOU][AEIOU][^AEIOU\d]\d)[A-Z]{2,3}(?=\d+$)/, (letters) => [...letters].join(' '));
  return separated
    .replace(/\.(?=NET$)/, ' dot ')
    .replace(/(?<=^\d+)[A-Z]{2}$/, (letters) => [...letters].join(' '))
    .replace(
      /^(\p{Lu}\p{Ll}+)(\p{Lu}{2,4})$/u,
      (_all, word: string, letters: string) => `${word} ${[...letters].join(' ')}`,
    )
    .replace(/(?<=\p{L})&(?=\p{L})/gu, ' and ')
    .split(/[^\p{L}\p{N}']+/u)
    .flatMap((part) => part.match(/\d+|[^\d]+/g) ?? [])
    .flatMap((part) => (/^\d+$/.test(part) ? sayDigitsOf(part) : [part.toLowerCase()]))
    .map((word) => foldLetters(word).replace(/^'+|'+$/g, ''))
    .filter((word) => /[\p{L}]/u.test(word));
}
