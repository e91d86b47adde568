/** Converts written text to words as they are spoken, expanding numbers, money, times and abbreviations. */
import { normalizeSpelling, simplifyPunctuation } from '@parley/domain';
import { pluralOf, sayCardinal, sayDigits, sayOrdinal, sayYear } from './numbers.ts';

/** The pause that the punctuation after a word suggests. */
export type PauseAfter = 'none' | 'may' | 'should';

export interface SpokenWord {
  /** As the learner sees it on the screen. */
  written: string;
  /** One or more spoken words: lower case, letters and apostrophes only; empty when it is not spoken. */
  spoken: string[];
  pauseAfter: PauseAfter;
}

const CURRENCIES: Readonly<Record<string, readonly [one: string, many: string, small: string]>> = {
  $: ['dollar', 'dollars', 'cents'],
  '€': ['euro', 'euros', 'cents'],
  '£': ['pound', 'pounds', 'pence'],
};
const SCALE_SUFFIXES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', bn: 'billion', b: 'billion' };
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(Object.entries({
  mr: 'mister', mrs: 'missus', ms: 'miz', dr: 'doctor', prof: 'professor', st: 'saint', vs: 'versus', etc: 'et cetera',
  eg: 'for example', ie: 'that is', approx: 'approximately', dept: 'department', asap: 'a s a p', ok: 'okay',
  '&': 'and', '%': 'percent', '+': 'plus', '=': 'equals', '@': 'at', '#': 'number',
})); // prettier-ignore
const MAX_CARDINAL_DIGITS = 12;

/** Splits at white space and pairs each written word with its spoken form. */
export function spokenForm(text: string): SpokenWord[] {
  return normalizeSpelling(text)
    .replace(/\s*(?:[–—…]|-{2,})\s*/gu, ', ')
    .split(/[\s/]+/u)
    .flatMap((token) => (/^[a-z']+(-[a-z']+)+[.,;:!?]*$/i.test(token) ? token.split('-') : [token]))
    .map((token, index, tokens) => ({
      written: trimPunctuation(token),
      spoken: sayToken(token, { before: tokens[index - 1] ?? '', after: tokens[index + 1] ?? '' }),
      pauseAfter: pauseAfter(token),
    }))
    .filter((word) => word.spoken.length > 0);
}

/** The end offset of each spoken word in the text. The last word includes the rest of the text. */
export function wordEnds(text: string): number[] {
  const searched = simplifyPunctuation(text);
  let at = 0;
  const ends = spokenForm(text).map(({ written }) => {
    const found = searched.indexOf(written, at);
    at = found < 0 ? at : found + written.length;
    return at;
  });
  return ends.map((end, index) => (index === ends.length - 1 ? text.length : end));
}

function pauseAfter(token: string): PauseAfter {
  const mark = /[.,;:!?)\]}"]+$/u.exec(token)?.[0] ?? '';
  const word = token.slice(0, token.length - mark.length).toLowerCase();
  // The full stop of "Dr." or "a.m." does not end a sentence.
  const isAbbreviated = /^\.,?$/u.test(mark) && (ABBREVIATIONS.has(word) || word.includes('.'));
  if (mark === '') return 'none';
  return /[.;:!?]/u.test(mark) && !isAbbreviated ? 'should' : 'may';
}

const trimPunctuation = (token: string): string => {
  const trimmed = token.replace(/^[^\p{L}\p{N}$€£@#&+=%]+|[^\p{L}\p{N}%&+=']+$/gu, '');
  return trimmed === '' ? token : trimmed;
};

const bareToken = (token: string): string => token.replace(/^["'([{<]+|["')\]}>,;:!?]+$/g, '').replace(/\.+$/, '');

/** The neighbours decide about some numbers: “$2.5” is said differently before “million”. */
function sayToken(token: string, { before, after }: { before: string; after: string }): string[] {
  const bare = bareToken(token);
  const isScaled = SCALE_WORD.test(bareToken(after));
  const currency = SCALE_WORD.test(bare) ? /^([$€£])\d[\d,.]*$/.exec(bareToken(before))?.[1] : undefined;
  if (currency !== undefined) return [bare.toLowerCase(), CURRENCIES[currency]?.[1] ?? ''];
  return (
    (isScaled ? sayNumber(bare.replace(/^[$€£]/, '')) : sayMoney(bare)) ??
    sayClock(bare, { hasHalf: /^[ap]\.?m$/i.test(bareToken(after)) }) ??
    sayPlural(bare, bareToken(before)) ??
    sayTelephone(bare) ??
    sayRange(bare) ??
    sayNumber(bare) ??
    sayWords(bare)
  );
}

const SCALE_WORD = /^(thousand|million|billion|trillion)$/i;

/** “The 30s” are years or an age, and “30s” without such a word before them are seconds. */
const BEFORE_A_DECADE = /^(the|my|your|his|her|its|our|their|early|mid|late)$/i;

function sayPlural(token: string, before: string): string[] | null {
  const digits = /^(\d{2,4})'?s$/i.exec(token)?.[1];
  if (digits === undefined) return null;
  const value = Number(digits);
  if (value === 100 || value === 1000) return [value === 100 ? 'hundreds' : 'thousands'];
  if (digits.length === 2 && !BEFORE_A_DECADE.test(before) && token.endsWith('s') && !token.includes("'"))
    return [...sayCardinal(value), /^an?$/i.test(before) ? 'second' : 'seconds'];
  const words = digits.length === 4 ? sayYear(value) : sayCardinal(value);
  return [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')];
}

/** A number of three and four digits such as 555-1234, or of more groups, which are not a date. */
function sayTelephone(token: string): string[] | null {
  if (!/^\+?\d+(-\d+)+$/.test(token) || /^\d{4}-\d{2}-\d{2}$|^\d{1,2}-\d{1,2}-\d{4}$/.test(token)) return null;
  const groups = token.replace('+', '').split('-');
  const isTelephone = groups.length > 2 || /^[+0]|^\d{3}-\d{4}$/.test(token);
  return isTelephone ? groups.flatMap(sayDigits) : null;
}

/** Two numbers of which the second is larger, such as “10-15 people”. */
function sayRange(token: string): string[] | null {
  const [, from = '', to = ''] = /^(\d+)-(\d+)$/.exec(token) ?? [];
  if (from === '' || Number(from) >= Number(to)) return null;
  return [...(sayNumber(from) ?? []), 'to', ...(sayNumber(to) ?? [])];
}

function sayMoney(token: string): string[] | null {
  const match = /^([$€£])(\d[\d,]*)(?:\.(\d{1,2}))?(k|m|bn|b)?$/i.exec(token);
  if (match === null) return null;
  const [, sign = '', whole = '', small, scale] = match;
  const names = CURRENCIES[sign];
  const value = Number(whole.replaceAll(',', ''));
  if (names === undefined || whole.length > MAX_CARDINAL_DIGITS) return null;
  if (scale !== undefined) {
    const decimals = small === undefined ? [] : ['point', ...sayDigits(small)];
    return [...sayCardinal(value), ...decimals, SCALE_SUFFIXES[scale.toLowerCase()] ?? '', names[1]];
  }
  const cents = small === undefined ? 0 : Number(small.padEnd(2, '0'));
  return [
    ...sayCardinal(value),
    value === 1 ? names[0] : names[1],
    ...(cents === 0 ? [] : [...sayCardinal(cents), names[2]]),
  ];
}

/** `hasHalf`: whether the next word is a.m. or p.m. */
function sayClock(token: string, { hasHalf }: { hasHalf: boolean }): string[] | null {
  const match = /^(\d{1,2})(?::(\d{2}))?(?:\s?([ap])\.?m\.?)?$/i.exec(token);
  if (match === null) return null;
  const [, hourText = '', minuteText, half] = match;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? '0');
  if ((minuteText === undefined && half === undefined) || hour > 24 || minute > 59) return null;
  const minutes =
    minuteText === undefined || minute === 0 ? [] : minute < 10 ? ['oh', ...sayCardinal(minute)] : sayCardinal(minute);
  const oClock = minutes.length === 0 && half === undefined && !hasHalf ? ["o'clock"] : [];
  return [...sayCardinal(hour), ...minutes, ...oClock, ...(half === undefined ? [] : [half.toLowerCase(), 'm'])];
}

function sayNumber(token: string): string[] | null {
  const match = /^(-?)(\d[\d,]*)(?:\.(\d+))?(%|st|nd|rd|th|k|m|bn)?$/i.exec(token);
  if (match === null) return null;
  const [, minus = '', digitsWithCommas = '', decimals, suffix = ''] = match;
  const digits = digitsWithCommas.replaceAll(',', '');
  const value = Number(digits);
  if (digits.length > MAX_CARDINAL_DIGITS || (digits.length > 1 && digits.startsWith('0') && decimals === undefined))
    return sayDigits(digits);
  if (/^(st|nd|rd|th)$/i.test(suffix)) return sayOrdinal(value);
  const isYear = digits.length === 4 && digitsWithCommas.length === 4 && value >= 1100 && value <= 2099;
  const whole = isYear && decimals === undefined && suffix === '' ? sayYear(value) : sayCardinal(value);
  const fraction = decimals === undefined ? [] : ['point', ...sayDigits(decimals)];
  const unit = suffix === '%' ? ['percent'] : suffix === '' ? [] : [SCALE_SUFFIXES[suffix.toLowerCase()] ?? ''];
  return [...(minus === '' ? [] : ['minus']), ...whole, ...fraction, ...unit];
}

function sayWords(token: string): string[] {
  const known = ABBREVIATIONS.get(token.toLowerCase().replaceAll('.', ''));
  if (known !== undefined) return known.split(' ');
  if (/^([A-Za-z]\.)+[A-Za-z]?$/.test(token)) return [...token.replaceAll('.', '').toLowerCase()];
  return token
    .split(/[^\p{L}\p{N}']+/u)
    .flatMap((part) => part.match(/\d+|[^\d]+/g) ?? [])
    .flatMap((part) =>
      /^\d+$/.test(part) ? sayCardinal(Number(part.slice(0, MAX_CARDINAL_DIGITS))) : [part.toLowerCase()],
    )
    .map((word) =>
      word
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(/^'+|'+$/g, ''),
    )
    .filter((word) => /[\p{L}]/u.test(word));
}
