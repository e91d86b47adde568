/**
 * Rewrites figures, symbols and abbreviations as they are read aloud. The examples from which scenes learn are spoken sentences, and a learner
 * who types writes "14:30", "€50" or a telephone number instead.
 */

import type { SlotKind } from '@parley/domain';
import { comparableWords } from '../../../text/comparable-words.ts';
import { findSlots } from './slots.ts';

const DIGITS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'euros', $: 'dollars', '£': 'pounds' };
const MULTIPLES: Readonly<Record<string, string>> = { k: ' thousand', m: ' million' };
const UNITS: Readonly<Record<string, string>> = {
  min: 'minutes',
  mins: 'minutes',
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
  sec: 'seconds',
  secs: 'seconds',
  wk: 'weeks',
  wks: 'weeks',
  yr: 'years',
  yrs: 'years',
};
const LAST_HOUR = 23;
const LAST_MINUTE = 59;
const LONGEST_MONTH_DAYS = 31;
/** Shorter figures without a zero, a plus or a separator are amounts. */
const MIN_PHONE_DIGITS = { marked: 6, plain: 8, grouped: 9 };
const ROUND = /000$/;

/** Units that follow an amount. */
const COUNTED =
  '\\s?(?:euros?|dollars?|pounds?|cents?|pence|percent|people|persons|pieces|units|kilos?|km|a (?:day|week|month|year)|per)\\b';

const SHORT_MONTHS = 'jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';

type Rule = readonly [RegExp, (match: string, ...groups: (string | undefined)[]) => string];

const RULES: readonly Rule[] = [
  [/(\d),(?=\d{3}\b)/g, (_, digit = '') => digit],
  [/([€$£])\s?(\d+(?:\.\d+)?)(?:\s?([km])\b)?/gi, (_, symbol, sum, multiple) => money(sum, symbol, multiple)],
  [/(\d+(?:\.\d+)?)([km])?\s?([€$£])/gi, (_, sum, multiple, symbol) => money(sum, symbol, multiple)],
  [/(\d)\s?%/g, (_, digit) => `${digit} percent`],
  [/\b(\d+)k\b/gi, (_, sum) => `${sum} thousand`],
  [/\bquid\b/gi, () => 'pounds'],
  [/(?<=\d )bucks?\b/gi, () => 'dollars'],
  [/^\s*(\d{1,2})\.([0-5]\d)(?=[.!]?\s*$)/, (all, hour, minute) => atStart(time(hour, minute)) ?? all],
  [
    new RegExp(`(?<=\\bat )(\\d{1,2})\\.([0-5]\\d)(?![\\d%.]|${COUNTED})(?:\\s?([ap])\\.?m\\b\\.?)?`, 'gi'),
    (all, hour, minute, half) => time(hour, minute, half) ?? all,
  ],
  [/\b\d{4}-(\d{1,2})-(\d{1,2})\b/g, (all, month, day) => date(day, month) ?? all],
  [/\b(\d{1,2})-(\d{1,2})-\d{4}\b/g, (all, first, second) => date(first, second) ?? date(second, first) ?? all],
  [
    /(?<![\d/])(?!24\/7\b)(\d{1,2})\/(\d{1,2})(\/(?:\d{4}|\d\d))?(?![\d/])/g,
    (all, first, second, year) =>
      mayBeFraction(first, second, year) ? all : (date(first, second) ?? date(second, first) ?? all),
  ],
  [
    /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})?(?!\d)/g,
    (all, day, month, year) => (mayBeFraction(day, month, year) ? all : (date(day, month) ?? all)),
  ],
  [
    /^\s*(\d{1,2}):(\d\d)(?![\d:])(?:\s?([ap])\.?m\b\.?)?/i,
    (all, hour, minute, half) => atStart(time(hour, minute, half)) ?? all,
  ],
  [
    /(?<![\d:])(\d{1,2}):(\d\d)(?![\d:])(?:\s?([ap])\.?m\b\.?)?/gi,
    (all, hour, minute, half) => time(hour, minute, half) ?? all,
  ],
  [/(\d)\s?([ap])\.?m\b\.?/gi, (_, hour, half = '') => `${hour} ${half.toLowerCase()}m`],
  [
    /(\d)\s?(mins?|h|hrs?|secs?|wks?|yrs?)\b\.?/gi,
    (_, count, unit = '') => `${count} ${UNITS[unit.toLowerCase()] ?? unit}`,
  ],
  [
    /\b(\d{1,2})(?: ?½|\.5(?= (?:hours?|days?|weeks?|months?|years?)\b))/g,
    (_, count) => `${DIGITS[Number(count)] ?? count} and a half`,
  ],
  [new RegExp(`\\b(?:${SHORT_MONTHS})\\b\\.?(?= \\d)`, 'gi'), (short) => startingWith(MONTHS, short)],
  [
    new RegExp(`(?<=\\d(?:st|nd|rd|th)?(?: of)? )(?:${SHORT_MONTHS})\\b\\.?`, 'gi'),
    (short) => startingWith(MONTHS, short),
  ],
  [
    /(?<=^|\b(?:on|by|next|until|till|before|after) )(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:\.|(?=[,!?]|$))/gi,
    (short) => startingWith(DAYS, short),
  ],
  [
    new RegExp(`(?<![\\w.,€$£])\\+?\\(?\\d[\\d ()/.-]{3,}\\d(?![\\w%€$£]|[.,:]\\d|${COUNTED})`, 'gi'),
    (all) => phoneNumber(all) ?? all,
  ],
];

/** Returns the text unchanged when it has none of them. */
export function spellOutFigures(text: string): string {
  let spelled = text;
  for (const [pattern, spell] of RULES) spelled = spelled.replace(pattern, spell);
  return spelled;
}

/** The words that stay as they were typed. */
export function wordsBesideFigures(text: string): string {
  const spelled = new Set(comparableWords(spellOutFigures(text)));
  return comparableWords(text)
    .filter((word) => spelled.has(word))
    .join(' ');
}

const WITHOUT_GIVING =
  /\b(?:not|no|never|neither|nor|can ?not|can't|don't|won't|doesn't|isn't|too|late|early|train|bus|flight|meeting)\b/;

/** Whether a text with figures may give a value that the coach asks for. "10:00 is too early for me" names one without giving it. */
export const mayGiveValue = (plain: string, slots: readonly SlotKind[]): boolean =>
  !WITHOUT_GIVING.test(plain) && (slots.length === 0 || findSlots(plain).some((slot) => slots.includes(slot)));

const money = (sum = '', symbol = '', multiple = ''): string =>
  `${sum.replace(/\.00$/, '')}${MULTIPLES[multiple.toLowerCase()] ?? ''} ${CURRENCIES[symbol] ?? symbol}`;

/** "8/10" and "5.10." are a date, a part, a mark or a price; "24/12" and "24.12." can only be dates. */
const mayBeFraction = (first = '', second = '', year?: string): boolean =>
  year === undefined && Number(first) <= MONTHS.length && Number(second) <= MONTHS.length;

function date(day: string | undefined, month: string | undefined): string | null {
  const name = MONTHS[Number(month) - 1];
  return name === undefined || Number(day) < 1 || Number(day) > LONGEST_MONTH_DAYS ? null : `${Number(day)} ${name}`;
}

/** "14:30" alone answers "When?" */
const atStart = (clock: string | null): string | null => (clock === null ? null : `at ${clock}`);

function time(hour = '', minute = '', half = ''): string | null {
  if (Number(hour) > LAST_HOUR || Number(minute) > LAST_MINUTE) return null;
  const name = (hours: number): string => DIGITS[hours % 12 === 0 ? 12 : hours % 12] ?? '';
  const spoken: Readonly<Record<string, string>> = {
    '00': `${name(Number(hour))} o’clock`,
    '15': `quarter past ${name(Number(hour))}`,
    '30': `half past ${name(Number(hour))}`,
    '45': `quarter to ${name(Number(hour) + 1)}`,
  };
  const clock = spoken[minute] ?? `${name(Number(hour))} ${minute}`;
  return `${clock}${half === '' ? '' : ` ${half.toLowerCase()}m`}`;
}

function phoneNumber(figures: string): string | null {
  const digits = figures.replaceAll(/\D/g, '');
  const isShortOrRound = digits.length < MIN_PHONE_DIGITS.grouped || ROUND.test(digits);
  const isGrouped = /^[1-9]\d{0,2}(?: \d{3})+$/.test(figures) && isShortOrRound;
  const isRange = /^\d{4} ?- ?\d{4}$/.test(figures);
  const isMarked = /^(?:\+|\(?0)|[ /.-]/.test(figures) && !isGrouped && !isRange;
  if (digits.length < (isMarked ? MIN_PHONE_DIGITS.marked : MIN_PHONE_DIGITS.plain) || isRange || isGrouped)
    return null;
  return [...digits].map((digit) => DIGITS[Number(digit)]).join(' ');
}

const startingWith = (names: readonly string[], short: string): string =>
  names.find((name) => name.toLowerCase().startsWith(short.toLowerCase().slice(0, 3))) ?? short;
