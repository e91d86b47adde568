/**
 * Other ways to read digits or signs aloud: “150” is also “a hundred and fifty” and “one five zero”, and “May 3” is
 * “May the third”. A learner who says one of them has read the text correctly.
 */
import { isMonth, MONTH_NAMES } from './calendar.ts';
import { bareAt, type Position } from './neighbours.ts';
import { sayCardinal, sayDigits, sayOrdinal, sayYear } from './numbers.ts';
import { sayHeight } from './quantities.ts';

const BELOW_HUNDRED = new Set(Array.from({ length: 99 }, (_, index) => sayCardinal(index + 1)[0] ?? ''));
const BELOW_TEN = new Set(Array.from({ length: 9 }, (_, index) => sayCardinal(index + 1).join(' ')));
const DIGITS = new Set(sayDigits('0123456789'));

/** `spoken` is the usual reading. */
export function otherReadings(spoken: readonly string[], at: Position): string[][] {
  const bare = bareAt(at, 0);
  if (/^[x×]$/.test(bare) && [-1, 1].every((offset) => /^\d/.test(bareAt(at, offset)))) return [['by'], ['times']];
  if (/^#\p{L}/u.test(bare)) return [['hashtag', ...spoken]];
  if (spoken.length === 0 || !/[\d½¼¾]/.test(bare)) return [];
  const readings = [
    spoken,
    ...ofDay(at),
    ...ofDate(at),
    ...ofClock(bare),
    ...ofDecimal(bare),
    ...ofCode(bare),
    ...ofMoney(spoken),
    ...ofSuffix(bare),
    ...ofPart(spoken, at),
    ...ofSign(spoken, at),
    ...ofProduct(spoken),
    ...ofResult(bare),
    ...ofHeight(bare),
    ...(/^\d\d$/.test(bare) && bareAt(at, -1).startsWith('+') ? [sayDigits(bare)] : []),
  ];
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

/** “Three nil” and “three to nothing” for the 3-0 of a match, and “one all” for 1-1. */
function ofResult(bare: string): string[][] {
  const [ours, theirs] = /^(?!9-5$)(?:0|[1-9]\d?)-(?:0|[1-9]\d?)$/.test(bare) ? bare.split('-').map(Number) : [];
  if (ours === undefined || theirs === undefined || (ours < theirs && ours > 0)) return [];
  const waysToSay = (goals: number): string[][] =>
    goals === 0 ? [['zero'], ['nil'], ['nothing']] : [sayCardinal(goals)];
  const results = waysToSay(ours).flatMap((first) =>
    waysToSay(theirs).flatMap((second) => [
      [...first, ...second],
      [...first, 'to', ...second],
    ]),
  );
  return ours === theirs && ours > 0 ? [...results, [...sayCardinal(ours), 'all']] : results;
}

/** “Six two”, “six feet two” and “six foot two inches” for 6'2". */
function ofHeight(bare: string): string[][] {
  const said = sayHeight(bare);
  if (said === null) return [];
  const inFeet = said.map((word) => (word === 'foot' ? 'feet' : word));
  return [said.filter((word) => word !== 'foot'), inFeet, [...said, 'inches'], [...inFeet, 'inches']];
}

/** “10K” and “5k” are also said with the letter, and “1080p” also as a whole number. */
function ofSuffix(bare: string): string[][] {
  const lines = /^(\d{3,4})p$/.exec(bare)?.[1];
  if (lines !== undefined) return [[...sayCardinal(Number(lines)), 'p']];
  const [, digits, letter] = /^(\d{1,3})(k)$/i.exec(bare) ?? [];
  return digits === undefined || letter === undefined
    ? []
    : [
        [...sayCardinal(Number(digits)), 'k'],
        [...sayCardinal(Number(digits)), 'thousand'],
      ];
}

/** “05/06/2024” is the fifth of June in most countries and the sixth of May in America. */
function ofDate(at: Position): string[][] {
  const place = [0, 1, 2].find((offset) => at.tokens[at.index - offset]?.isAfterSlash !== true);
  if (place === undefined || place > 1) return [];
  const parts = [0, 1, 2].map((offset) => bareAt(at, offset - place));
  const isDate =
    /^\d{1,2} \d{1,2} (?:\d{2}|\d{4})$/.test(parts.join(' ')) &&
    [1, 2].every((offset) => at.tokens[at.index - place + offset]?.isAfterSlash === true) &&
    at.tokens[at.index - place + 3]?.isAfterSlash !== true;
  const value = Number(parts[place]);
  if (!isDate || value < 1 || value > 31) return [];
  const day = sayOrdinal(value);
  const days = [day, ['the', ...day]];
  const month = MONTH_NAMES[value - 1];
  return [
    ...(month === undefined ? [] : [[month]]),
    ...days,
    ...(place === 0 ? [['the', ...day, 'of'], sayCardinal(value)] : []),
  ];
}

/** “10.30” may be a time, and “3.10” a version. */
function ofDecimal(bare: string): string[][] {
  const [, whole, rest] = /^(\d{1,2})\.([1-9]\d)$/.exec(bare) ?? [];
  if (whole === undefined || rest === undefined) return [];
  const [before, after] = [sayCardinal(Number(whole)), sayCardinal(Number(rest))];
  const isTime = Number(whole) <= 24 && Number(rest) <= 59;
  return [[...before, 'point', ...after], ...(isTime ? [[...before, ...after]] : [])];
}

/** “8/10” is also “eight out of ten”, and “3/5” “three fifths”. */
function ofPart(spoken: readonly string[], at: Position): string[][] {
  const [total, part] = [bareAt(at, 0), bareAt(at, -1)];
  const isInSlashes = [-1, 0, 1].map((offset) => at.tokens[at.index + offset]?.isAfterSlash === true).join(' ');
  const isPart = isInSlashes === 'false true false' && /^\d{1,3}$/.test(total) && /^\d[\d.]*$/.test(part);
  if (!isPart || Number(part) > Number(total)) return [];
  const ordinal = sayOrdinal(Number(total));
  const share = Number(part) === 1 ? ordinal : [...ordinal.slice(0, -1), `${ordinal.at(-1) ?? ''}s`];
  return [['out', 'of', ...spoken], ['over', ...spoken], ...(Number(total) > 2 ? [share] : [])];
}

const SIGNS: readonly (readonly [sign: string, ...readings: string[]])[] = [
  ['~', 'about', 'around', 'approximately'],
  ['≈', 'about', 'around', 'approximately'],
  ['<', 'less than', 'under', 'below'],
  ['>', 'more than', 'over', 'greater than'],
  ['≤', 'at most', 'up to', 'less than or equal to'],
  ['≥', 'at least', 'greater than or equal to'],
  ['±', 'plus or minus', 'plus minus'],
  ['+', 'plus'],
  ['§', 'section'],
];

/** Signs before a number are often left out when reading: “~50” and “>10”. */
function ofSign(spoken: readonly string[], at: Position): string[][] {
  const text = at.tokens[at.index]?.text ?? '';
  const [, ...readings] = SIGNS.find(([sign]) => text.replace(/^["“(]+/, '').startsWith(sign)) ?? [''];
  return readings.map((reading) => [...reading.split(' '), ...spoken]);
}

/** “2×3” and “4x4” are also measures: “two by three”. */
const ofProduct = (spoken: readonly string[]): string[][] =>
  ['times', 'x']
    .filter((sign) => spoken.indexOf(sign) > 0 && spoken.indexOf(sign) < spoken.length - 1)
    .map((sign) => spoken.map((word) => (word === sign ? 'by' : word)));
