/** Says amounts of money, numbers, fractions and ranges. */
import { sayCardinal, sayDigits, sayOrdinal, sayYear } from './numbers.ts';
import { isUnit, sayNumberEnding } from './units.ts';

const CURRENCIES: Readonly<Record<string, readonly [one: string, many: string, small: string]>> = {
  $: ['dollar', 'dollars', 'cents'],
  '€': ['euro', 'euros', 'cents'],
  '£': ['pound', 'pounds', 'pence'],
  '₹': ['rupee', 'rupees', 'paise'],
  '¥': ['yen', 'yen', 'sen'],
  '₩': ['won', 'won', 'jeon'],
  '₱': ['peso', 'pesos', 'centavos'],
  '₺': ['lira', 'lira', 'kurush'],
  '₽': ['ruble', 'rubles', 'kopeks'],
  '₦': ['naira', 'naira', 'kobo'],
  '₪': ['shekel', 'shekels', 'agorot'],
  '฿': ['baht', 'baht', 'satang'],
  '₫': ['dong', 'dong', 'xu'],
  '¢': ['cent', 'cents', 'cents'],
  '₣': ['franc', 'francs', 'rappen'],
  // Stands for “R$”.
  '₢': ['real', 'reais', 'centavos'],
  '₴': ['hryvnia', 'hryvnias', 'kopiyky'],
};
const SIGN_BY_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    USD: '$', AUD: '$', CAD: '$', NZD: '$', SGD: '$', HKD: '$', EUR: '€', GBP: '£', INR: '₹', Rs: '₹', JPY: '¥', CHF: '₣', BRL: '₢', KRW: '₩',
    PHP: '₱', TRY: '₺', NGN: '₦', ILS: '₪', THB: '฿', VND: '₫', UAH: '₴',
  }), // prettier-ignore
);
const SCALE_SUFFIXES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', bn: 'billion', b: 'billion' };
export const MAX_CARDINAL_DIGITS = 12;

const FRACTIONS: Readonly<Record<string, string>> = {
  '½': 'a half',
  '¼': 'a quarter',
  '¾': 'three quarters',
  '⅓': 'a third',
  '⅔': 'two thirds',
};

export const isCurrencySign = (token: string): boolean => /^\p{Sc}$/u.test(token);

/** “EUR” beside an amount is read like “€”. */
export const signOfCode = (token: string): string | null => SIGN_BY_CODE.get(token) ?? null;

/** “1,000” and “12,34,567”. */
const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}$/;

/**
 * The comma in “3,5” and “1.000,50” is a decimal comma, as in many languages, and “1.000.000” is a million, unlike
 * “192.168.100.120”.
 */
export const withDecimalPoint = (token: string): string =>
  token.replace(/^(-?\p{Sc}?)(\d[\d.,]*\d)(?=[^\d.,]*$)/u, (_all, before: string, number: string) => {
    if (/^\d{1,3}(?:\.\d{3}){2}(?:\.000)*$/.test(number)) return before + number.replaceAll('.', '');
    if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(number)) return before + number.replaceAll('.', '').replace(',', '.');
    const isDecimal = /^\d+,\d+$/.test(number) && !/^[1-9]\d{0,2},\d{3}$/.test(number) && !/^\d{4},\d{4}$/.test(number);
    return before + (isDecimal ? number.replace(',', '.') : number);
  });

/** The name of a currency sign on its own. */
export const sayCurrency = (sign: string, { isOne }: { isOne: boolean }): string[] =>
  (CURRENCIES[sign] ?? []).slice(isOne ? 0 : 1, isOne ? 1 : 2);

/** Words that multiply the amount of money before them. */
export const isScale = (token: string): boolean =>
  /^(?:thousand|million|billion|trillion|lakh|crore|k|m|bn)$/i.test(token);

export const sayScale = (scale: string): string => SCALE_SUFFIXES[scale.toLowerCase()] ?? scale.toLowerCase();

export function sayMoney(token: string): string[] | null {
  const match = /^(\p{Sc})(\d[\d,]*)(?:\.(\d{1,2}))?(k|m|bn|b)?$/iu.exec(token);
  if (match === null) return null;
  const [, sign = '', whole = '', small, scale] = match;
  const names = CURRENCIES[sign];
  const value = Number(whole.replaceAll(',', ''));
  if (whole.length > MAX_CARDINAL_DIGITS) return null;
  // If the currency has no name here, only the amount is expected.
  if (names === undefined) return sayNumber(token.slice(1), { isAmount: true });
  if (scale !== undefined) {
    const decimals = small === undefined ? [] : ['point', ...sayDigits(small)];
    return [...sayCardinal(value), ...decimals, sayScale(scale), names[1]];
  }
  const cents = small === undefined ? 0 : Number(small.padEnd(2, '0'));
  if (value === 0 && cents > 0) return [...sayCardinal(cents), names[2]];
  return [
    ...sayCardinal(value),
    value === 1 ? names[0] : names[1],
    ...(cents === 0 ? [] : [...sayCardinal(cents), names[2]]),
  ];
}

/** A number of three and four digits such as 555-1234, or of more groups, which are not a date. */
export function sayTelephone(token: string): string[] | null {
  if (!/^\+?\d+(-\d+)+$/.test(token) || /^\d{4}-\d{2}-\d{2}$|^\d{1,2}-\d{1,2}-\d{4}$/.test(token)) return null;
  const groups = token.replace('+', '').split('-');
  const isTelephone = groups.length > 2 || /^[+0]|^\d{3}-\d{4}$/.test(token);
  return isTelephone ? groups.flatMap(sayDigits) : null;
}

/** Years such as “1990-95” and “2019-20”. */
export function sayYears(token: string): string[] | null {
  const [, from = '', to = ''] = /^(1[1-9]\d{2}|20\d{2})-(\d{2})$/.exec(token) ?? [];
  if (from === '' || Number(to) <= Number(from) % 100) return null;
  return [...sayYear(Number(from)), 'to', ...(to.startsWith('0') ? ['oh'] : []), ...sayCardinal(Number(to))];
}

/** “2.3.1” and “v2.0”. A date such as “5.6.2024” has a year, and a network address has longer parts. */
export function sayVersion(token: string): string[] | null {
  const [, letter = '', number = ''] = /^(v?)(\d{1,2}(?:\.\d{1,2})+)$/i.exec(token) ?? [];
  if (number === '' || (letter === '' && !/\..*\./.test(number))) return null;
  const parts = number.split('.').map((part) => sayCardinal(Number(part)));
  return [
    ...(letter === '' ? [] : ['v']),
    ...parts.flatMap((part, index) => (index === 0 ? part : ['point', ...part])),
  ];
}

/** “1:1” and “3:2”, which are not times of day. */
export function sayRatio(token: string): string[] | null {
  const [, first, second] = /^(\d{1,2}):(\d)$/.exec(token) ?? [];
  return first === undefined || second === undefined
    ? null
    : [...sayCardinal(Number(first)), 'to', ...sayCardinal(Number(second))];
}

/** “1h30” and “2h30m”. */
export function sayDuration(token: string): string[] | null {
  const [, hours, minutes] = /^(\d{1,2})h(\d{2})(?:m|min)?$/.exec(token) ?? [];
  return hours === undefined || minutes === undefined
    ? null
    : [...(sayMeasure(`${hours}h`) ?? []), ...(sayMeasure(`${Number(minutes)}min`) ?? [])];
}

const OPERATORS: Readonly<Record<string, string>> = {
  '×': 'times',
  '*': 'times',
  '÷': 'divided by',
  '+': 'plus',
  '=': 'equals',
};

/** “2×3”, “2+2=4” and “6÷2”. */
export function sayCalculation(token: string): string[] | null {
  if (!/^\d[\d.,]*(?:[×*÷+=]\d[\d.,]*)+$/.test(token)) return null;
  return token
    .split(/([×*÷+=])/)
    .flatMap((part) => OPERATORS[part]?.split(' ') ?? sayNumber(part, { isAmount: true }) ?? []);
}

/** A person's height in feet and inches, such as 6'2". */
export function sayHeight(token: string): string[] | null {
  const [, feet, inches] = /^(\d)'(\d{1,2})$/.exec(token) ?? [];
  return feet === undefined || inches === undefined
    ? null
    : [...sayCardinal(Number(feet)), 'foot', ...sayCardinal(Number(inches))];
}

/** Two numbers of which the second is larger, such as “10-15 people”, “$20-30”, “50%-60%” and “5kg-10kg”. */
export function sayRange(token: string): string[] | null {
  const [, sign = '', from = '', ending = '', to = '', last = ''] =
    /^(\p{Sc}?)(\d[\d.,]*)(%|°?[a-z]{1,3}[²³]?)?-\1?(\d[\d.,]*)(\D*)$/iu.exec(token) ?? [];
  const amounts = [from, to].map((each) => Number(each.replaceAll(',', '')));
  const [first = NaN, second = NaN] = amounts;
  // In “900k-1m” the second is larger, too.
  const isRange = first < second || (ending !== '' && ending.toLowerCase() !== last.toLowerCase());
  // “9-5” is a day at work.
  if (from === '' || !(isRange || token === '9-5')) return null;
  const isAmount = sign !== '' || amounts.some((each) => each > 2099);
  const withCents = sign !== '' && /\.\d{2}$/.test(from) ? sayMoney(sign + from) : null;
  const unit = ending === last && isUnit(ending) ? '' : ending.replace('%', '');
  const before = withCents ?? sayNumber(from + unit, { isAmount }) ?? sayMeasure(from + unit);
  const after = sign === '' ? (sayNumber(to + last) ?? sayMeasure(to + last)) : sayMoney(sign + to + last);
  return before === null || after === null ? null : [...before, 'to', ...after];
}

/** A number that a unit or a sign follows without a space, such as “5kg” or “3.5x”. */
export function sayMeasure(token: string): string[] | null {
  const [, number = '', ending = ''] = /^(-?\d[\d.,]*[½¼¾⅓⅔]?|[½¼¾⅓⅔])(\D+)$/.exec(token) ?? [];
  const unit = sayNumberEnding(ending, { isOne: isOne(number) });
  const amount = unit === null ? null : (sayFraction(number) ?? sayNumber(number, { isAmount: true }));
  return unit === null || amount === null ? null : [...amount, ...unit];
}

/** Whether a unit after the number is singular. */
export const isOne = (number: string): boolean => /^[1½¼]$/.test(number);

export function sayFraction(token: string): string[] | null {
  const [, whole = '', sign = ''] = /^(\d*)([½¼¾⅓⅔])$/.exec(token) ?? [];
  const fraction = FRACTIONS[sign];
  if (fraction === undefined) return null;
  return [...(whole === '' ? [] : [...sayCardinal(Number(whole)), 'and']), ...fraction.split(' ')];
}

/** `isAmount`: whether something is counted, so that 1500 is not a year. */
export function sayNumber(token: string, { isAmount = false }: { isAmount?: boolean } = {}): string[] | null {
  // “4K” and “1080p” are names of screen resolutions and not numbers.
  if (/^[48]K$/.test(token)) return [...sayDigits(token.charAt(0)), 'k'];
  const lines = /^(144|240|360|480|720|1080|1440|2160|4320)p$/.exec(token)?.[1];
  if (lines !== undefined)
    return [...sayCardinal(Math.floor(Number(lines) / 100)), ...sayCardinal(Number(lines) % 100), 'p'];
  const match = /^(-?)(\d[\d,]*)(?:\.(\d+))?(%|st|nd|rd|th|k|m|bn)?$/i.exec(token.replace(/^(-?)\./, '$10.'));
  if (match === null) return null;
  const [, minus = '', digitsWithCommas = '', decimals, suffix = ''] = match;
  if (digitsWithCommas.includes(',') && !GROUPED.test(digitsWithCommas)) return null;
  const digits = digitsWithCommas.replaceAll(',', '');
  const value = Number(digits);
  if (digits.length > MAX_CARDINAL_DIGITS || (digits.length > 1 && digits.startsWith('0') && decimals === undefined))
    return sayDigits(digits);
  if (/^(st|nd|rd|th)$/i.test(suffix)) return sayOrdinal(value);
  const isYear = !isAmount && digits.length === 4 && digitsWithCommas.length === 4 && value >= 1100 && value <= 2099;
  const whole = isYear && decimals === undefined && suffix === '' ? sayYear(value) : sayCardinal(value);
  const fraction = decimals === undefined ? [] : ['point', ...sayDigits(decimals)];
  const unit = suffix === '%' ? ['percent'] : suffix === '' ? [] : [sayScale(suffix)];
  return [...(minus === '' ? [] : ['minus']), ...whole, ...fraction, ...unit];
}
