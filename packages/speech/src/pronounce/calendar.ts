/** The names of days, months and quarters, their short forms, and ranges of them, such as “Mon–Fri”. */

const MONTHS: ReadonlyMap<string, string> = new Map(Object.entries({
  Jan: 'january', Feb: 'february', Mar: 'march', Apr: 'april', Jun: 'june', Jul: 'july', Aug: 'august', Sep: 'september',
  Sept: 'september', Oct: 'october', Nov: 'november', Dec: 'december',
})); // prettier-ignore

const DAYS: ReadonlyMap<string, string> = new Map(Object.entries({
  Mon: 'monday', Tue: 'tuesday', Tues: 'tuesday', Wed: 'wednesday', Thu: 'thursday', Thur: 'thursday', Thurs: 'thursday',
  Fri: 'friday', Sat: 'saturday', Sun: 'sunday',
})); // prettier-ignore

const FULL_NAMES = new Set([...MONTHS.values(), ...DAYS.values(), 'may']);

const NAME = `(?:${[...MONTHS.keys(), ...DAYS.keys()].join('|')}|May|${[...FULL_NAMES]
  .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
  .join('|')}|Q[1-4]|H[12])`;

/** For the dash in “Mon–Fri” and “Q1–Q3”, which means “to”. */
export const CALENDAR_DASH: string = `(?<=(?<!\\p{L})${NAME}\\.?)–(?=${NAME}(?!\\p{L}))`;

const RANGE = new RegExp(`^(${NAME})\\.?-(${NAME})$`);

export const isCalendarRange = (token: string): boolean => RANGE.test(token);

export function sayCalendarRange(token: string): string[] | null {
  const [, from = '', to = ''] = RANGE.exec(token) ?? [];
  return from === '' ? null : [...sayName(from), 'to', ...sayName(to)];
}

const sayName = (name: string): string[] =>
  /^[QH]\d$/.test(name)
    ? [name.charAt(0).toLowerCase(), ['one', 'two', 'three', 'four'][Number(name.charAt(1)) - 1] ?? '']
    : [monthOf(name) ?? dayOf(name) ?? name.toLowerCase()];

export const monthOf = (token: string): string | undefined => MONTHS.get(token);

export const dayOf = (token: string): string | undefined => DAYS.get(token);

/** The names of the months from January to December. */
export const MONTH_NAMES: readonly string[] = [...new Set(MONTHS.values())].toSpliced(4, 0, 'may');

export const isMonth = (token: string): boolean => {
  const name = token.toLowerCase();
  return MONTHS.has(token) || (/^\p{Lu}/u.test(token) && (name === 'may' || [...MONTHS.values()].includes(name)));
};

/** “Wed”, “Sat” and “Sun” are also words. */
export const isDayOnly = (token: string): boolean => DAYS.has(token) && !/^(?:Wed|Sat|Sun)$/.test(token);

export const isDay = (token: string): boolean => DAYS.has(token) || FULL_NAMES.has(token.toLowerCase());
