/** Finds typed values in a turn: dates, durations, amounts, yes or no. */
import type { SlotKind } from '@parley/domain';

const UNITS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half dozen couple few several';
const UNIT = UNITS.split(' ').join('|');
const NUMBER = `(?:\\d+(?:[.,]\\d+)?|${UNIT}|a|an)(?: (?:${UNIT}|of))*`;
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const ORDINAL =
  '(?:(?:(?:twenty|thirty) )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)|\\d+(?:st|nd|rd|th))';
/** What may follow a day of the month. Any other word is what the number counts: "the first hour", "the third floor". */
const AFTER_DATE =
  'of|at|in|on|or|and|to|by|from|until|till|for|if|is|are|was|will|would|works|suits|sounds|because|so|but|then|as|when|we|i|it|that|you|they|please|thanks|thank|fits|has|can|could|should|may|might|must|with|next|this|my|our|he|she|there|since|unless|though|instead|rather|not|maybe|latest|around|about|before|after|early|morning|afternoon|evening|already|too|also|only|okay|yes|no';
const PERIOD = 'week|month|year|weekend|morning|afternoon|evening|summer|spring|autumn|winter|quarter';

const any = (...patterns: string[]): RegExp => new RegExp(`\\b(?:${patterns.join('|')})\\b`);

const PATTERNS: Readonly<Record<SlotKind, RegExp>> = {
  duration: any(
    `${NUMBER}(?: (?:more|full|whole|extra|working|business|additional))? (?:nights?|days?|weeks?|weekends?|months?|years?|hours?|minutes?|seconds?)`,
    '(?:whole|entire|next few) (?:week|month|days|weekend|year)',
    'overnight|all (?:day|week)',
  ),
  date: any(
    `(?:(?:next|this|last|coming|on|by|until|till) )?${DAY}(?: (?:morning|afternoon|evening|night))?`,
    `(?:${ORDINAL}|mid|early|late|end|beginning|middle)(?: of)?(?: next)? ${MONTH}`,
    `(?:by|in|until|till|on|before|since|for|to) ${MONTH}`,
    `${MONTH} (?:the )?(?:${ORDINAL}|\\d+)`,
    'today|tonight|tomorrow(?: (?:morning|afternoon|evening))?|yesterday|the day after tomorrow',
    `(?:next|this|last|following|coming) (?:${PERIOD})`,
    `(?:the|on the) ${ORDINAL}(?! (?!(?:${AFTER_DATE})\\b)[a-z])`,
    `(?:the )?end of the (?:week|month|year|day)`,
    `in ${NUMBER}(?: \\w+)? (?:days?|weeks?|months?)`,
  ),
  time: any(
    `(?:at|by|before|after|until|around|about) (?:half past |quarter past |quarter to )?(?:\\d{1,2}|${UNITS.split(' ').slice(0, 12).join('|')})(?: \\d\\d)?(?! (?:days|weeks|nights|people|months|percent))(?: (?:in (?:the )?(?:morning|afternoon|evening)|am|pm|o clock))?`,
    `(?:\\d{1,2}|${UNITS.split(' ').slice(0, 12).join('|')}) (?:o clock|am|pm|thirty|fifteen|forty five|in (?:the )?(?:morning|afternoon|evening))`,
    `half past (?:\\d{1,2}|\\w+)|quarter (?:past|to) \\w+`,
    'noon|midnight|midday|o clock',
  ),
  money: new RegExp(
    `[$€£]\\s?\\d[\\d.,]*|\\b${NUMBER} (?:pounds?|euros?|dollars?|percent|per cent|grand|k)\\b|\\d\\s?%|\\b(?:for free|free of charge|discount|refund)\\b`,
  ),
  amount: any(`\\d+|${UNIT}|some|all|most|everything|nothing|part|rest|both`),
  name: /\b(?:my name is|i am|this is|speaking is|name of|under the name|under)\s+(?!(?:a|an|the|not|so|very|sorry|fine|here|going|calling|afraid|sure|happy|in|on|at|from|just|really)\b)([a-z]+(?: [a-z]+)?)/,
  yes: /^(?:(?:oh|well|ah) )?(?:yes|yeah|yep|yup|sure|of course|okay|ok|all right|alright|certainly|absolutely|definitely|fine|great|perfect|no problem|sounds good|right|exactly|correct|i do|i am|i can|i would|i will|that is (?:fine|okay|all right|good|great|perfect|right|correct))\b/,
  no: /^(?:(?:oh|well|ah|sorry|i am sorry|i am afraid) )*(?:no|nope|not|never|unfortunately not|i am afraid not|i do not|i can not|i will not|none|nothing)\b/,
  reason: /\b(?:because|due to|since|so that|the reason|caused|thanks to|as a result|as we|as i)\b/,
  unsure:
    /\b(?:not sure|do not know|maybe|perhaps|probably|it depends|depends on|might|hard to say|can not say|no idea|not certain|i guess)\b/,
};

/** `plain` is the normalised text from `spoken-text.ts`. */
export const findSlots = (plain: string): SlotKind[] =>
  (Object.keys(PATTERNS) as SlotKind[]).filter((kind) => PATTERNS[kind].test(plain));

/** The times of day in a text, as they are named: "around nine". */
export const findTimes = (plain: string): string[] =>
  [...plain.matchAll(new RegExp(PATTERNS.time, 'g'))].map(([time]) => time);

const LEADING_PREPOSITION = /^(?:by|on|in|until|till|before|after|since|for|to|at|around|about) /;
const CLAUSE_END = /[.!?;,]\s*| (?=(?:because|but|so|instead of|rather than|than|except|unless|although|though)\b)/;
/** A reason or a comparison follows: "Tuesday, because Monday is a holiday". */
const ASIDE = /^(?:because|instead of|rather than|than|except|unless|although|though)\b/;
const REFUSED =
  /\b(?:not|never|no|nothing|unable|impossible|difficult|bad|holiday|closed|busy|away|too (?:late|early|soon|long|short|much|little|low|high|expensive))\b/;
/** "Any day but Monday" */
const EXCLUDED = /\b(?:every|any|all)\b[^.!?;,]* (?:but|except|apart from|other than|besides) /;
const NO_PROBLEM = /\bno (?:problem|worries|doubt)\b/g;
/** The start of a number whose end alone is a value of its own: "two hundred and | fifty euros", "twenty | fifth of May". */
const NUMBER_START = new RegExp(`(?:(?:\\b(?:${UNIT}|a) )*\\b(?:hundred|thousand)(?: and)?|\\b(?:twenty|thirty)) $`);
/** Without these words the value would be another one: "the day after | tomorrow", "fifty or | sixty euros", "1 | 500 euros". */
const NEEDED_BEFORE = new RegExp(`(?:\\b(?:after|before|of|from|or|every|each|${UNIT})|\\d)(?: and| point| to)? $`);
const NEEDED_AFTER = new RegExp(
  `^ (?:(?:the )?(?:${UNIT}|${ORDINAL}|\\d)|(?:or|ago|earlier|before|after)\\b|and a half\\b|and [\\w ]+ (?:cents?|pence)\\b)`,
);
const COMPLETE_DATE = `(?:the |on the )?${ORDINAL}(?: of)? ${MONTH}|(?:on )?${MONTH} (?:the )?(?:${ORDINAL}|\\d+)`;

/** "By Friday, so we can send it on Monday": a purpose may name another value than the intended one. */
const PURPOSE = /^so (?:that\b|(?:i|we|you|they|he|she|it) (?:can|could)\b)/;

/**
 * The last value of this kind, worded for use in a later coach line. Null when there is none, and when it may be
 * refused or incomplete, because a coach line is also right without it.
 */
export function slotValue(plain: string, kind: SlotKind): string | null {
  if (EXCLUDED.test(plain)) return null;
  const clauses = plain
    .replaceAll(NO_PROBLEM, '')
    .split(CLAUSE_END)
    .filter((clause) => !ASIDE.test(clause));
  const source = sourceOf(kind);
  const found = clauses.map((clause) => ({
    matches: [...clause.matchAll(new RegExp(source, 'g'))],
    isRefused: REFUSED.test(clause),
    isPurpose: PURPOSE.test(clause),
  }));
  const last = found.findLastIndex(({ matches, isRefused }) => matches.length > 0 && !isRefused);
  const [match, another] = found[last]?.matches ?? [];
  if (match === undefined || another !== undefined) return null;
  const isNamedBefore = found.slice(0, last).some(({ matches, isRefused }) => matches.length > 0 && !isRefused);
  if (found[last]?.isPurpose === true && isNamedBefore) return null;
  // "Friday? No, that is too early."
  if (found.slice(last + 1).some(({ matches, isRefused }) => isRefused && matches.length === 0)) return null;
  return kind === 'name' ? capitalised(match[1] ?? '') || null : wholeValue(match, kind);
}

function wholeValue({ 0: value, index, input }: RegExpExecArray, kind: SlotKind): string | null {
  const before = input.slice(0, index);
  const isNumber = new RegExp(`^(?:the )?(?:${UNIT}|${ORDINAL})\\b`).test(value);
  const [start = ''] = (isNumber ? NUMBER_START.exec(before) : null) ?? [];
  if (NEEDED_BEFORE.test(before.slice(0, before.length - start.length))) return null;
  if (NEEDED_AFTER.test(input.slice(index + value.length))) return null;
  if (kind === 'date' && /^in (?!\w+$)/.test(value)) return null;
  const whole = `${start}${value}`.trim().replace(LEADING_PREPOSITION, '');
  return kind === 'date' ? capitalised(asWritten(whole)) : whole;
}

const DAY_IN_MONTH = new RegExp(`^(?:the )?(${ORDINAL})(?: of)? (${MONTH})$`);

/** Recognised and normalised text has no hyphens: "thirty first march" becomes "the thirty-first of March". */
const asWritten = (date: string): string =>
  date
    .replace(DAY_IN_MONTH, 'the $1 of $2')
    .replace(/\b(twenty|thirty) (?=(?:fir|seco|thi|four|fif|six|seve|eigh|nin)\w+\b)/, '$1-');

const sourceOf = (kind: SlotKind): string =>
  kind === 'date' ? `\\b(?:${COMPLETE_DATE})\\b|${PATTERNS.date.source}` : PATTERNS[kind].source;

export const VALUE_KINDS: ReadonlySet<SlotKind> = new Set(['duration', 'date', 'time', 'money']);
const DAY_OF_MONTH = new RegExp(`\\b(\\d{1,2})(?=(?: to \\d{1,2})? ${MONTH}\\b)`, 'g');
const AROUND_VALUE =
  /\b(?:by|on|in|until|till|before|after|since|from|for|to|at|around|about|between|and|or|instead of|only|just|the|of|it is|that is|please|thanks|thank you|\d{4})\b|[.,!]/g;
const SMALL = UNITS.split(' ').slice(0, 19).join('|');
const TENS =
  '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?: (?:one|two|three|four|five|six|seven|eight|nine))?';
/** A number without a unit is an amount or a price; "one, two, three" is none. */
const BARE_NUMBER = new RegExp(
  `^(?:\\d+(?:[.,]\\d+)?|${TENS}|(?:(?:${SMALL}|a) )?(?:hundred|thousand)(?:(?: and)? (?:${TENS}|${SMALL}))?|${SMALL})$`,
);

/** Whether a turn only names values of one of these kinds, such as "On the 24th, please", "From May to July" or "Eighteen". */
export function isOnlyValue(plain: string, kinds: readonly SlotKind[]): boolean {
  const text = plain.replaceAll(DAY_OF_MONTH, 'the $1th');
  const sources = kinds.filter((kind) => VALUE_KINDS.has(kind)).map(sourceOf);
  const isNumber = BARE_NUMBER.test(text.replaceAll(/\b(?:about|around|only|just|please)\b|[.,!]$/g, '').trim());
  if (isNumber && (kinds.includes('amount') || kinds.includes('money'))) return true;
  return sources.some((source) => new RegExp(source).test(text)) && withoutValues(text) === '';
}

/** "Monday at ten" answers where a day is asked for, and where a time is. */
const withoutValues = (text: string): string =>
  [...VALUE_KINDS]
    .reduce((rest, kind) => rest.replaceAll(new RegExp(sourceOf(kind), 'g'), ''), text)
    .replaceAll(AROUND_VALUE, '')
    .trim();

/** The kinds of value that a turn which says nothing else may name. */
export const onlyValueKinds = (plain: string): SlotKind[] =>
  [...VALUE_KINDS, 'amount' as const].filter((kind) => isOnlyValue(plain, [kind]));

const NAMES =
  /\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december)\b/g;

/** With the capitals of days and months. */
export const capitalised = (value: string): string =>
  value.replace(NAMES, (name) => name.charAt(0).toUpperCase() + name.slice(1));
