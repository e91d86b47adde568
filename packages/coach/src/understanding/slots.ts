/** Finds typed values in a turn: dates, durations, amounts, yes or no. */
import type { SlotKind } from '@parley/domain';

const UNITS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half dozen couple few several';
const UNIT = UNITS.split(' ').join('|');
const NUMBER = `(?:\\d+(?:[.,]\\d+)?|${UNIT}|a|an)(?: (?:${UNIT}|of))*`;
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const ORDINAL =
  '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|\\d+(?:st|nd|rd|th))';
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
    `(?:the|on the) ${ORDINAL}(?! (?:part|version|step|phase|floor|time|one|night|week|month|thing|things|year|quarter|half|task|project|months|days))`,
    `(?:the )?end of the (?:week|month|year|day)`,
    `in ${NUMBER}(?: \\w+)? (?:days?|weeks?|months?)`,
  ),
  time: any(
    `(?:at|by|before|after|until|around|about) (?:half past |quarter past |quarter to )?(?:\\d{1,2}|${UNITS.split(' ').slice(0, 12).join('|')})(?: \\d\\d)?(?! (?:days|weeks|nights|people|months|percent))(?: (?:in the (?:morning|afternoon|evening)|am|pm|o clock))?`,
    `(?:\\d{1,2}|${UNITS.split(' ').slice(0, 12).join('|')}) (?:o clock|am|pm|thirty|fifteen|forty five)`,
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

const LEADING_PREPOSITION = /^(?:by|on|in|until|till|before|after|since|for|to|at|around|about) /;
/** "Not Friday" does not name Friday as a value. */
const NEGATED = /\b(?:not|never|no)(?: (?:on|by|before|until|at|for|this|next))*\s*$/;

/** The last value of this kind, worded for use in a later coach line; null when there is none. */
export function slotValue(plain: string, kind: SlotKind): string | null {
  const all = [...plain.matchAll(new RegExp(PATTERNS[kind].source, 'g'))];
  const last = all.findLast(({ index }) => !NEGATED.test(plain.slice(0, index)));
  if (last === undefined) return null;
  const value = ((kind === 'name' ? last[1] : last[0]) ?? '').trim().replace(LEADING_PREPOSITION, '');
  if (value === '') return null;
  return kind === 'date' || kind === 'name' ? capitalised(value) : value;
}

const NAMES =
  /\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december)\b/g;

const capitalised = (value: string): string =>
  value.replace(NAMES, (name) => name.charAt(0).toUpperCase() + name.slice(1));
