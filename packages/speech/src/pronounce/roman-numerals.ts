/** Says Roman numerals beside a name, a title or a century: “World War II” is two, “Henry VIII” the eighth. */
import { sayCardinal, sayOrdinal } from './numbers.ts';

/** From one to 39. */
const NUMERAL = /^(X{0,3})(IX|IV|V?I{0,3})$/;
const UNITS = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];

const CAPITALISED = /^\p{Lu}\p{Ll}/u;
/** Capitalised words that begin a sentence before letters: “The II”. */
const NOT_NUMBERED = /^(?:The|An?|And|Or|In|On|For|With|My|Your|His|Her|Our|Their|This|That|Give|Take|Use)$/;

/** “IV” before one of these means “intravenous”. */
const INTRAVENOUS =
  /^(?:access|antibiotics?|bags?|catheters?|drips?|drugs?|fluids?|infusions?|injections?|lines?|medications?|poles?|pumps?|therapy|treatment)$/;

/** First names of kings, queens and popes. After any other word the numeral counts wars, chapters or films. */
const RULERS = new Set(
  (
    'Albert Alexander Alfonso Augustus Benedict Carl Catherine Charles Christian Edward Elizabeth Felipe Ferdinand Francis Frederick George ' +
    'Gregory Gustav Harald Henry Innocent Ivan James John Juan Leo Leopold Louis Ludwig Maximilian Mohammed Napoleon Nicholas Otto Paul ' +
    'Pedro Peter Philip Philippe Pius Rama Ramesses Ramses Richard Robert Rudolf Urban Wilhelm William'
  ).split(' '),
);

/** `before` are the words before the numeral, nearest first. */
export function sayRomanNumeral(
  token: string,
  { before: [before, earlier], after }: { before: [string, string]; after: string },
): string[] | null {
  const [, tens, units] = NUMERAL.exec(token) ?? [];
  if (token === '' || tens === undefined || units === undefined) return null;
  const value = tens.length * 10 + UNITS.indexOf(units);
  if (/^(?:century|centuries)$/.test(after) && token !== 'I') return sayOrdinal(value);
  // Single letters are more often letters, as in “Malcolm X”, or the word “I”.
  if (token.length === 1 && !(token === 'V' && RULERS.has(before)) && !(before === 'War' && earlier === 'World'))
    return null;
  // “XX” is a placeholder for a name or a number.
  if (/^XX+$/.test(token) || (token === 'IV' && INTRAVENOUS.test(after))) return null;
  if (!CAPITALISED.test(before) || NOT_NUMBERED.test(before)) return null;
  return RULERS.has(before) ? ['the', ...sayOrdinal(value)] : sayCardinal(value);
}
