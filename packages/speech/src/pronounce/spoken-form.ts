/** Converts written text to words as they are spoken, expanding numbers, money, times, units, addresses and abbreviations. */
import { simplifyPunctuation } from '@parley/domain';
import { isAddress, sayAddress } from './addresses.ts';
import { sayCalendarRange } from './calendar.ts';
import { bareAt, type Position, sayWithNeighbours } from './neighbours.ts';
import { pluralOf, sayCardinal, sayYear } from './numbers.ts';
import { otherReadings } from './other-readings.ts';
import {
  sayCalculation,
  sayDuration,
  sayFraction,
  sayHeight,
  sayMeasure,
  sayMoney,
  sayNumber,
  sayRange,
  sayRatio,
  sayTelephone,
  sayVersion,
  sayYears,
} from './quantities.ts';
import { tokensOf } from './tokens.ts';
import { foldLetters, isAbbreviation, sayCompound, sayWords } from './words.ts';

/** The pause that the punctuation after a word suggests. */
export type PauseAfter = 'none' | 'may' | 'should';

export interface SpokenWord {
  /** As the learner sees it on the screen. */
  written: string;
  /** One or more spoken words in lower case, with letters and apostrophes only; empty if nothing is spoken. */
  spoken: string[];
  /** Other ways to say it, such as “a hundred” for “100”. */
  otherReadings: string[][];
  pauseAfter: PauseAfter;
}

/** Pairs each written word with its spoken form. */
export function spokenForm(text: string): SpokenWord[] {
  const tokens = tokensOf(text);
  return tokens
    .map((token, index) => {
      const spoken = sayToken({ tokens, index });
      return {
        written: trimPunctuation(token.text),
        spoken,
        otherReadings: otherReadings(spoken, { tokens, index }),
        pauseAfter: pauseAfter(token.text, { spoken, next: tokens[index + 1]?.text ?? '' }),
      };
    })
    .filter((word) => word.spoken.length > 0);
}

/** The text with numbers and signs written out, for a voice that would read them in its own way. */
export function spokenText(text: string): string {
  const tokens = tokensOf(text);
  const said = tokens.map(({ text: token }, index) => {
    const written = trimPunctuation(token);
    const spoken = sayToken({ tokens, index });
    if (spoken.length === 0) return /[\p{L}\p{N}]/u.test(token) ? '' : token.replace(/\p{Sc}/gu, '');
    if (spoken.join('') === plainLetters(written)) return token;
    const [before = '', after = ''] = token.split(written);
    const pause = pauseAfter(token, { spoken, next: tokens[index + 1]?.text ?? '' });
    // “-5” and “°C” are read with words for their signs.
    return (
      before.replaceAll(/[-−°]/g, '') + spoken.join(' ') + (pause === 'should' ? after : after.replaceAll('.', ''))
    );
  });
  return said.filter((token) => token !== '').join(' ');
}

const plainLetters = (word: string): string => foldLetters(word).replaceAll('.', '');

/** The end offset of each spoken word in the text. The last word includes the rest of the text. */
export function wordEnds(text: string): number[] {
  // The space in “10 000” is often a non-breaking one.
  const searched = simplifyPunctuation(text).replaceAll(/\s/g, ' ');
  let at = 0;
  const ends = spokenForm(text).map(({ written }) => {
    const found = searched.indexOf(written, at);
    at = found < 0 ? at : found + written.length;
    return at;
  });
  return ends.map((end, index) => (index === ends.length - 1 ? text.length : end));
}

function pauseAfter(token: string, { spoken, next }: { spoken: string[]; next: string }): PauseAfter {
  const mark = /[.,;:!?)\]}"“”»«]+$/u.exec(token)?.[0] ?? '';
  const word = token.slice(0, token.length - mark.length).toLowerCase();
  const hasDots = word.includes('.') && !isAddress(word);
  // “Nov.” before a day and “hrs.” before the rest of a sentence.
  const isShortForm = /^[a-z]+$/.test(word) && spoken.join('') !== word && /^[a-z\d]/.test(next);
  // The full stop of "Dr." or "a.m." does not end a sentence.
  const isAbbreviated = /^\.,?$/u.test(mark) && (isAbbreviation(word) || hasDots || isShortForm);
  if (mark === '') return 'none';
  return /[.;:!?]/u.test(mark) && !isAbbreviated ? 'should' : 'may';
}

const trimPunctuation = (token: string): string => {
  // The marks of “.NET”, “C#” and 6'2" are part of what is read.
  const trimmed = token.replace(
    /^(?!\.NET)[^\p{L}\p{N}\p{Sc}@#№&+=%]+|(?!(?<=\p{L})#|(?<=\d'\d{1,2})["”])[^\p{L}\p{N}\p{Sc}%&+=']+$/gu,
    '',
  );
  return trimmed === '' ? token : trimmed;
};

function sayToken(at: Position): string[] {
  const [bare, before, after] = [bareAt(at, 0), bareAt(at, -1), bareAt(at, 1)];
  const hasHalf = /^[ap]\.?m$/i.test(after);
  const tokenText = at.tokens[at.index]?.text ?? '';
  return (
    sayWithNeighbours(at) ??
    sayMoney(bare) ??
    sayClock(bare, { hasHalf }) ??
    sayHours(bare, { hasHalf }) ??
    sayPlural(bare, { before, hasApostrophe: /^["“(]*'/.test(tokenText) }) ??
    sayCalendarRange(bare) ??
    sayTelephone(bare) ??
    sayYears(bare) ??
    sayRange(bare) ??
    sayCalculation(bare) ??
    sayRatio(bare) ??
    sayDuration(bare) ??
    sayHeight(bare) ??
    sayVersion(bare) ??
    sayNumber(bare) ??
    sayFraction(bare) ??
    sayMeasure(bare) ??
    sayAddress(bare, sayWords) ??
    sayCompound(bare) ??
    sayWords(bare)
  );
}

/** “The 30s” are years or an age, and “30s” without such a word before them are seconds. */
const BEFORE_A_DECADE = /^(the|my|your|his|her|its|our|their|early|mid|late)$/i;

function sayPlural(
  token: string,
  { before, hasApostrophe }: { before: string; hasApostrophe: boolean },
): string[] | null {
  const digits = /^(\d{2,4})'?s$/i.exec(token)?.[1];
  if (digits === undefined) return null;
  const value = Number(digits);
  if (value === 100 || value === 1000) return [value === 100 ? 'hundreds' : 'thousands'];
  const isDecade = hasApostrophe || BEFORE_A_DECADE.test(before) || token.includes("'");
  if (digits.length === 2 && !isDecade && token.endsWith('s'))
    return [...sayCardinal(value), /^an?$/i.test(before) ? 'second' : 'seconds'];
  const words = digits.length === 4 ? sayYear(value) : sayCardinal(value);
  return [...words.slice(0, -1), pluralOf(words.at(-1) ?? '')];
}

/** `hasHalf`: whether the next word is a.m. or p.m. */
function sayClock(token: string, { hasHalf }: { hasHalf: boolean }): string[] | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?:\s?([ap])\.?m\.?)?$/i.exec(token);
  if (match === null) return null;
  const [, hourText = '', minuteText, half] = match;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? '0');
  const isTime = half !== undefined || (minuteText !== undefined && (token.includes(':') || hasHalf));
  if (!isTime || hour > 24 || minute > 59) return null;
  const minutes =
    minuteText === undefined || minute === 0 ? [] : minute < 10 ? ['oh', ...sayCardinal(minute)] : sayCardinal(minute);
  const oClock = minutes.length === 0 && half === undefined && !hasHalf ? ["o'clock"] : [];
  return [...sayCardinal(hour), ...minutes, ...oClock, ...(half === undefined ? [] : [half.toLowerCase(), 'm'])];
}

/** From one time of day to another, such as “9am-5pm”, “9-11am” and “9:00-17:00”. */
function sayHours(token: string, { hasHalf }: { hasHalf: boolean }): string[] | null {
  const [, from = '', to = ''] = /^([\d:.apm]+)-([\d:.apm]+)$/i.exec(token) ?? [];
  if (!hasHalf && !/:|m$/i.test(to)) return null;
  const [first, second] = [from, to].map((time) => sayClock(time, { hasHalf: true }));
  const start = first ?? (/^\d{1,2}$/.test(from) ? sayCardinal(Number(from)) : null);
  const end = second ?? (hasHalf && /^\d{1,2}$/.test(to) ? sayCardinal(Number(to)) : null);
  return start === null || end === null ? null : [...start, 'to', ...end];
}
