/**
 * Other ways to read digits or signs aloud: “150” is also “a hundred and fifty” and “one five zero”, and “May 3” is
 * “May the third”. A learner who says one of them has read the text correctly.
 */
import { isMonth } from './calendar.ts';
import { bareAt, type Position } from './neighbours.ts';
import { sayCardinal, sayDigits, sayOrdinal, sayYear } from './numbers.ts';

const BELOW_HUNDRED = new Set(Array.from({ length: 99 }, (_, index) => sayCardinal(index + 1)[0] ?? ''));
const BELOW_TEN = new Set(Array.from({ length: 9 }, (_, index) => sayCardinal(index + 1).join(' ')));
const DIGITS = new Set(sayDigits('0123456789'));

/** `spoken` is the usual reading. */
export function otherReadings(spoken: readonly string[], at: Position): string[][] {
  const bare = bareAt(at, 0);
  if (spoken.length === 0 || !/[\d½¼¾]/.test(bare)) return [];
  const readings = [spoken, ...ofDay(at), ...ofClock(bare), ...ofCode(bare), ...ofMoney(spoken), ...ofSuffix(bare)];
  const variants = readings.flatMap((reading) => {
    const withAnd = addAnd(reading);
    return [reading, withAnd, sayA(reading), sayA(withAnd), sayOh(reading), dropZero(reading)];
  });
  const unique = new Map(variants.map((reading) => [reading.join(' '), [...reading]]));
  unique.delete(spoken.join(' '));
  return [...unique.values()];
}

/** “One hundred and fifty” and “two thousand and five”, as most people outside North America say. */
function addAnd(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? '';
    const isJoint = word === 'hundred' || (/^(?:thousand|million)$/.test(word) && !isFollowedByHundreds(words, index));
    return isJoint && BELOW_HUNDRED.has(next) ? [word, 'and'] : [word];
  });
}

const isFollowedByHundreds = (words: readonly string[], index: number): boolean =>
  /^(?:hundred|thousand)$/.test(words[index + 2] ?? '') || /^(?:hundred|thousand)$/.test(words[index + 3] ?? '');

const sayA = (words: readonly string[]): readonly string[] =>
  words[0] === 'one' && /^(?:hundred|thousand|million|half|quarter|third)$/.test(words[1] ?? '')
    ? ['a', ...words.slice(1)]
    : words;

/** A zero among digits is often “oh”. */
const sayOh = (words: readonly string[]): readonly string[] =>
  words.length > 1 && words.every((word) => DIGITS.has(word) || word.length === 1)
    ? words.map((word) => (word === 'zero' ? 'oh' : word))
    : words;

const dropZero = (words: readonly string[]): readonly string[] =>
  words[0] === 'zero' && words[1] === 'point' ? words.slice(1) : words;

/** A day beside its month, such as “3 May” and “May 3”. */
function ofDay(at: Position): string[][] {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(bareAt(at, 0))?.[1];
  if (day === undefined || Number(day) < 1 || Number(day) > 31) return [];
  const ordinal = sayOrdinal(Number(day));
  const isBefore = isMonth(bareAt(at, 1));
  if (!isBefore && !isMonth(bareAt(at, -1))) return [];
  const hasArticle = bareAt(at, -1).toLowerCase() === 'the';
  const withArticle = hasArticle ? ordinal : ['the', ...ordinal];
  return [ordinal, isBefore ? [...withArticle, 'of'] : withArticle];
}

/** “16:30” is also “four thirty”, “four thirty p m” and “half past four”, and “9:10” is “ten past nine”. */
function ofClock(bare: string): string[][] {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(bare) ?? [];
  if (hours === undefined || minutes === undefined || Number(hours) > 24 || Number(minutes) > 59) return [];
  const hour = Number(hours) % 12 === 0 ? 12 : Number(hours) % 12;
  const minute = Number(minutes);
  const said = sayCardinal(hour);
  const after = minute === 0 ? [] : minute < 10 ? ['oh', ...sayCardinal(minute)] : sayCardinal(minute);
  const half = Number(hours) >= 12 && Number(hours) < 24 ? ['p', 'm'] : ['a', 'm'];
  const next = sayCardinal((hour % 12) + 1);
  const isMultipleOfFive = minute % 5 === 0 && minute % 15 !== 0;
  return [
    [...said, ...after],
    [...said, ...after, ...half],
    ...(minute === 0 ? [[...said, "o'clock"]] : []),
    ...(minute === 30 ? [['half', 'past', ...said]] : []),
    ...(minute === 15 ? [['quarter', 'past', ...said]] : []),
    ...(minute === 45 ? [['quarter', 'to', ...next]] : []),
    ...(isMultipleOfFive && minute < 30 ? [[...sayCardinal(minute), 'past', ...said]] : []),
    ...(isMultipleOfFive && minute > 30 ? [[...sayCardinal(60 - minute), 'to', ...next]] : []),
  ];
}

/** The number of a room, a flight, an invoice or a year, read digit by digit, in pairs or as an amount. */
function ofCode(bare: string): string[][] {
  const [, letters = '', digits = ''] = /^([A-Za-z]{0,3})(\d{2,6})$/.exec(bare) ?? [];
  const value = Number(digits);
  if (letters === '' && /^0\d$/.test(digits)) return [sayCardinal(value)];
  if (digits === '' || (letters === '' && digits.length === 2)) return [];
  const readings = [sayDigits(digits)];
  if (digits.length === 3 || digits.length === 4) {
    const rest = value % 100;
    const pair = rest === 0 ? ['hundred'] : rest < 10 ? ['oh', ...sayCardinal(rest)] : sayCardinal(rest);
    if (!digits.startsWith('0') && (value % 1000 >= 100 || rest > 0))
      readings.push([...sayCardinal(Math.floor(value / 100)), ...pair]);
    if (digits.length === 4) readings.push(sayCardinal(value), sayYear(value));
  }
  return readings.map((reading) => [...letters.toLowerCase(), ...reading]);
}

/** “Two pounds fifty” and “two fifty”, and “two oh five” for £2.05. */
function ofMoney(spoken: readonly string[]): string[][] {
  const name = spoken.findIndex((word) => /^(?:dollars?|euros?|pounds?)$/.test(word));
  if (name < 1 || !/^(?:cents|pence)$/.test(spoken.at(-1) ?? '') || name + 1 === spoken.length - 1) return [];
  const short = spoken.slice(0, -1);
  const before = short.slice(0, name);
  const cents = short.slice(name + 1);
  return [[...short], [...before, ...(BELOW_TEN.has(cents.join(' ')) ? ['oh'] : []), ...cents]];
}

/** “10K” and “5k” are also said with the letter. */
function ofSuffix(bare: string): string[][] {
  const [, digits, letter] = /^(\d{1,3})(k)$/i.exec(bare) ?? [];
  return digits === undefined || letter === undefined
    ? []
    : [
        [...sayCardinal(Number(digits)), 'k'],
        [...sayCardinal(Number(digits)), 'thousand'],
      ];
}
