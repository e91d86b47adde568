/**
 * Converts words whose reading depends on their neighbours: units and months beside a number, “No. 5”, and what an
 * amount is divided by.
 */
import { dayOf, isDay, isDayOnly, monthOf } from './calendar.ts';
import {
  isCurrencySign,
  isOne,
  isScale,
  sayCurrency,
  sayFraction,
  sayMeasure,
  sayNumber,
  sayScale,
} from './quantities.ts';
import { sayDigits } from './numbers.ts';
import { sayRomanNumeral } from './roman-numerals.ts';
import { sayShortForm } from './short-forms.ts';
import type { Token } from './tokens.ts';
import { isPeriod, isUnit, sayUnit } from './units.ts';
import { sayWords } from './words.ts';

const MONEY = /^\p{Sc}\d[\d,.]*$/u;
const NUMBER = /^-?(?:\d[\d.,]*-)?\d[\d.,]*$|[½¼¾⅓⅔]$|^(?:thousand|million|billion|trillion)$/i;
const DAY = /^\d{1,2}(?:st|nd|rd|th)?$/;
const DAY_OR_YEAR = /^(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})$/;
const ARTICLE = /^an?$/i;
/** The words, besides times and units, by which a measure may be divided. Money may be divided by any word. */
const SHARER = /^(?:person|head|user|seat|unit|serving)$/i;

export interface Position {
  tokens: readonly Token[];
  index: number;
}

export const bareAt = ({ tokens, index }: Position, offset: number): string => tokens[index + offset]?.bare ?? '';

export function sayWithNeighbours(at: Position): string[] | null {
  const written = at.tokens[at.index]?.text ?? '';
  return (
    sayAfterSlash(at) ??
    sayOfMoney(at) ??
    sayBesideNumber(at) ??
    sayNumeralOfName(at) ??
    sayShortForm(written, { before: bareAt(at, -1), after: bareAt(at, 1) })
  );
}

function sayNumeralOfName(at: Position): string[] | null {
  if (endsPhrase(at.tokens[at.index - 1])) return null;
  return sayRomanNumeral(bareAt(at, 0), { before: [bareAt(at, -1), bareAt(at, -2)], after: bareAt(at, 1) });
}

function sayAfterSlash(at: Position): string[] | null {
  const token = at.tokens[at.index];
  if (token === undefined) return null;
  const { bare } = token;
  if (token.isInPath) return ['slash', ...sayWords(bare)];
  if (!token.isAfterSlash || !/^\p{L}[\p{L}²³23]*$/u.test(bare)) return null;
  const isDivided =
    isMoneyBefore(at) ||
    (isMeasuredAt(at, -1) && (isUnit(bare) || isPeriod(bare) || SHARER.test(bare))) ||
    (NUMBER.test(bareAt(at, -2)) && isPeriod(bare));
  return isDivided ? ['per', ...(sayUnit(bare, { isOne: true }) ?? sayWords(bare))] : null;
}

function isMoneyBefore(at: Position): boolean {
  const before = bareAt(at, -1);
  return isCurrencySign(before) || /^\p{Sc}\d/u.test(before) || (isScale(before) && MONEY.test(bareAt(at, -2)));
}

const endsPhrase = (token: Token | undefined): boolean => /[.,;:!?)\]}"]$/.test(token?.text ?? '');

/** Whether the word is a unit of a number, as in “5 km”, “5km” and also “km/h”. */
function isMeasuredAt(at: Position, offset: number): boolean {
  const bare = bareAt(at, offset);
  if (sayMeasure(bare) !== null) return true;
  const next = at.tokens[at.index + offset + 1];
  const isSpeed = bare === 'km' && next?.isAfterSlash === true && next.bare === 'h';
  const isAfterNumber = NUMBER.test(bareAt(at, offset - 1)) && !endsPhrase(at.tokens[at.index + offset - 1]);
  return isUnit(bare) && (isAfterNumber || isSpeed);
}

/** “$2.5” is said differently before “million”, because the dollars are then said after the “million”. */
function sayOfMoney(at: Position): string[] | null {
  const [bare, before, after] = [bareAt(at, 0), bareAt(at, -1), bareAt(at, 1)];
  if (MONEY.test(before) && isScale(bare)) return [sayScale(bare), ...sayCurrency(before.charAt(0), { isOne: false })];
  if (MONEY.test(bare) && isScale(after)) return sayNumber(bare.slice(1));
  if (!isCurrencySign(bare)) return null;
  return sayCurrency(bare, { isOne: isOne(before) || /^(?:the|an?|per)$/i.test(before) });
}

function sayBesideNumber(at: Position): string[] | null {
  const [bare, before, after] = [bareAt(at, 0), bareAt(at, -1), bareAt(at, 1)];
  if (isUnit(bare) && isMeasuredAt(at, 0))
    return sayUnit(bare, { isOne: isOne(before) || (NUMBER.test(before) && ARTICLE.test(bareAt(at, -2))) });
  if (isUnit(after) || isCurrencySign(after)) {
    const amount = sayNumber(bare, { isAmount: true });
    if (amount !== null) return amount;
  }
  if (ARTICLE.test(before)) {
    const fraction = sayFraction(bare);
    if (fraction !== null) return fraction.filter((word) => word !== 'a');
  }
  if (/^[#№]\d/.test(bare)) return ['number', ...(sayNumber(bare.slice(1)) ?? sayWords(bare))];
  const number = /^no\.(\d.*)$/i.exec(bare)?.[1];
  if (number !== undefined) return ['number', ...(sayNumber(number) ?? sayWords(number))];
  return sayMorning(at) ?? sayNumberSign(at) ?? sayMonth(at) ?? sayDay(at) ?? sayMinutes(at) ?? sayTelephoneGroup(at);
}

/**
 * The groups of “0800 123 456”, “(020) 7946 0958” and “+44 7700 900123” after the first, and all groups of “555 123
 * 4567”. Groups of two digits can be said either way.
 */
function sayTelephoneGroup(at: Position): string[] | null {
  const bare = bareAt(at, 0);
  if (!/^\d{3,}$/.test(bare) || at.tokens[at.index]?.isAfterSlash === true) return null;
  for (let offset = -1; /^\+?\d+$/.test(bareAt(at, offset)); offset -= 1) {
    if (/[.,;:!?]$/.test(at.tokens[at.index + offset]?.text ?? '')) break;
    if (/^(?:\+|0\d)/.test(bareAt(at, offset))) return sayDigits(bare);
  }
  const isPlaceOf = (offset: number): boolean =>
    [3, 3, 4].every((length, group) => new RegExp(`^\\d{${length}}$`).test(bareAt(at, offset + group))) &&
    ![0, 1].some((group) => endsPhrase(at.tokens[at.index + offset + group]));
  return [0, -1, -2].some(isPlaceOf) ? sayDigits(bare) : null;
}

/** “30m” after hours or before seconds does not mean millions. */
function sayMinutes(at: Position): string[] | null {
  const minutes = /^(\d{1,2})m$/.exec(bareAt(at, 0))?.[1];
  const isTime = /^\d+h$/.test(bareAt(at, -1)) || /^\d{1,2}s$/.test(bareAt(at, 1));
  return minutes !== undefined && isTime ? sayMeasure(`${minutes}min`) : null;
}

/** The “AM” in “9 AM” and “nine AM” is not a form of “be”, unlike the one in “Which one am I?” */
function sayMorning(at: Position): string[] | null {
  const [bare, before] = [bareAt(at, 0), bareAt(at, -1)];
  const isAfterTime =
    /^(?:\d{1,2}(?:[:.]\d{2})?-)?\d{1,2}(?:[:.]\d{2})?$/.test(before) || (bare === 'AM' && TIME_IN_WORDS.test(before));
  return /^am$/i.test(bare) && isAfterTime && !endsPhrase(at.tokens[at.index - 1]) ? ['a', 'm'] : null;
}

const TIME_IN_WORDS =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)$/i;

/** After one of these words, “no.” is an answer. */
const BEFORE_AN_ANSWER = /^(?:says?|said|saying|answer(?:s|ed)?)$/i;

/** Whether a lower-case “no.” is an answer: at the beginning, after a sentence, after “said”, and in “yes or no”. */
const isSmallAnswer = (at: Position): boolean =>
  at.index === 0 ||
  /[.?!:]["')\]]*$/.test(at.tokens[at.index - 1]?.text ?? '') ||
  BEFORE_AN_ANSWER.test(bareAt(at, -1)) ||
  (bareAt(at, -1) === 'or' && bareAt(at, -2).toLowerCase() === 'yes');

function sayNumberSign(at: Position): string[] | null {
  const sign = /^["'([]*(nos?)\.$/i.exec(at.tokens[at.index]?.text ?? '')?.[1];
  // After a question, “No.” is the answer.
  const isAnswer = /\?["')\]]*$/.test(at.tokens[at.index - 1]?.text ?? '');
  const mayBeAnswer = isAnswer || (sign === 'no' && isSmallAnswer(at));
  if (sign === undefined || mayBeAnswer || !/^\d/.test(bareAt(at, 1))) return null;
  return [sign.length === 2 ? 'number' : 'numbers'];
}

/** Said in full only beside a number, because “Jan” is a name and “mar” a verb. */
function sayMonth(at: Position): string[] | null {
  const month = monthOf(bareAt(at, 0));
  if (month === undefined) return null;
  // “Give Jan 5 minutes” is about a person.
  const isAmount = isPeriod(bareAt(at, 2).replace(/s$/, '')) || isUnit(bareAt(at, 2));
  const isAfterDay = DAY.test(bareAt(at, -1)) && !endsPhrase(at.tokens[at.index - 1]);
  return isAfterDay || (DAY_OR_YEAR.test(bareAt(at, 1).replace(/-.*/, '')) && !isAmount) ? [month] : null;
}

/** “Sat” and “Sun” are days after “on”, and beside a time or another day. */
function sayDay(at: Position): string[] | null {
  const day = dayOf(bareAt(at, 0));
  if (day === undefined) return null;
  const [before, after] = [bareAt(at, -1), bareAt(at, 1)];
  const isJoined = (offset: number): boolean =>
    /^(?:&|and|or|to)$/.test(bareAt(at, offset)) && isDay(bareAt(at, 2 * offset));
  const isDayHere =
    isDayOnly(bareAt(at, 0)) ||
    BEFORE_A_DAY.test(before) ||
    isDay(before) ||
    isDay(after) ||
    /^\d/.test(after) ||
    isJoined(-1) ||
    isJoined(1);
  return isDayHere ? [day] : null;
}

const BEFORE_A_DAY = /^(?:on|by|until|till|next|this|last|every|each|from|since)$/i;
