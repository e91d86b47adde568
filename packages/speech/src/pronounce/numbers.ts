/** Converts numbers to words. */

const ONES = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen',
  'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen',
]; // prettier-ignore
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = [
  { size: 1_000_000_000, name: 'billion' },
  { size: 1_000_000, name: 'million' },
  { size: 1_000, name: 'thousand' },
  { size: 100, name: 'hundred' },
];

const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** Reads digits one by one, as for telephone numbers, versions and very long numbers. */
export const sayDigits = (digits: string): string[] => [...digits].map((digit) => ONES[Number(digit)] ?? '');

/** A whole number from 0 to 999,999,999,999. */
export function sayCardinal(value: number): string[] {
  if (value < 20) return [ONES[value] ?? ''];
  if (value < 100) return [TENS[Math.floor(value / 10)] ?? '', ...(value % 10 === 0 ? [] : sayCardinal(value % 10))];
  for (const { size, name } of SCALES) {
    if (value < size) continue;
    const rest = value % size;
    return [...sayCardinal(Math.floor(value / size)), name, ...(rest === 0 ? [] : sayCardinal(rest))];
  }
  return [];
}

export function sayOrdinal(value: number): string[] {
  const words = sayCardinal(value);
  const last = words.at(-1) ?? '';
  const regular = last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`;
  return [...words.slice(0, -1), IRREGULAR_ORDINALS[last] ?? regular];
}

/** The plural of a number's last word, for decades: eighty becomes eighties, and two thousand two thousands. */
export const pluralOf = (word: string): string =>
  word.endsWith('y') ? `${word.slice(0, -1)}ies` : word.endsWith('x') ? `${word}es` : `${word}s`;

/** 1984 is nineteen eighty-four, 2005 two thousand five, 1900 nineteen hundred. */
export function sayYear(year: number): string[] {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (year < 1100 || year > 2099 || (year >= 2000 && year < 2010)) return sayCardinal(year);
  if (rest === 0) return [...sayCardinal(century), 'hundred'];
  return [...sayCardinal(century), ...(rest < 10 ? ['oh', ONES[rest] ?? ''] : sayCardinal(rest))];
}
