/** Converts written text to words as they are spoken, expanding numbers, money, times and abbreviations. */
import { sayCardinal, sayDigits, sayOrdinal, sayYear } from './numbers.ts';

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
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/\s*(?:[–—…]|-{2,})\s*/gu, ', ')
    .split(/[\s/]+/u)
    .flatMap((token) => (/^[a-z']+(-[a-z']+)+[.,;:!?]*$/i.test(token) ? token.split('-') : [token]))
    .map((token) => ({ written: trimPunctuation(token), spoken: sayToken(token), pauseAfter: pauseAfter(token) }))
    .filter((word) => word.spoken.length > 0);
}

/** The end offset of each spoken word in the text. The last word includes the rest of the text. */
export function wordEnds(text: string): number[] {
  let at = 0;
  const ends = spokenForm(text).map(({ written }) => {
    const found = text.indexOf(written, at);
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

function sayToken(token: string): string[] {
  const bare = token.replace(/^["'([{<]+|["')\]}>,;:!?]+$/g, '').replace(/\.+$/, '');
  return sayMoney(bare) ?? sayClock(bare) ?? sayNumber(bare) ?? sayWords(bare);
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

function sayClock(token: string): string[] | null {
  const match = /^(\d{1,2})(?::(\d{2}))?(?:\s?([ap])\.?m\.?)?$/i.exec(token);
  if (match === null) return null;
  const [, hourText = '', minuteText, half] = match;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? '0');
  if ((minuteText === undefined && half === undefined) || hour > 24 || minute > 59) return null;
  const minutes =
    minuteText === undefined || minute === 0 ? [] : minute < 10 ? ['oh', ...sayCardinal(minute)] : sayCardinal(minute);
  const oClock = minutes.length === 0 && half === undefined ? ["o'clock"] : [];
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
