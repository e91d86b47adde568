/** Recognises turns that only say which day is not possible, such as "Not on Wednesday, I work", where the coach asks for one that is. */
import type { DialogueNode } from '@parley/domain';
import { parseSpoken } from '../spoken-text.ts';
import { spellOutFigures } from './figures.ts';
import { findSlots, isOnlyValue } from './slots.ts';
import { comparableWords } from '../../../text/comparable-words.ts';

/** The act of naming only a day that does not suit. */
export const RULED_OUT = 'ruled-out-day';

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const DAYS = new RegExp(`\\b${DAY}\\b`, 'g');
const WHEN = '(?:(?:on|next|this|the) )*';
const ALL_DAYS = `${DAY}(?: (?:and|or|nor) ${WHEN}${DAY})*`;
const RULED_OUT_DAYS = new RegExp(
  [
    `^(?:(?:but|well|oh|no|sorry|hm|unfortunately|please) )*(?:not|neither) ${WHEN}${ALL_DAYS}\\b`,
    `\\b${ALL_DAYS} (?:(?:is|are|would be) (?:not (?:possible|good|okay|so good)|impossible|bad|difficult)|(?:do|does|will|would) not (?:work|suit|be))\\b(?: for me)?(?: and ${WHEN}${DAY} (?:also|too|either|not|is|neither)\\b)?`,
    `\\b(?:i|we) (?:can|could) not (?:(?!do not|only)\\w+ ){0,2}?${WHEN}${ALL_DAYS}\\b`,
  ].join('|'),
  'g',
);
const OTHER_TIME =
  /\d|\b(?:every|any|other|another|rather|better|instead|only|except|but|before|after|tomorrow|today|later|earlier|week|weekend|month|morning|afternoon|evening|the (?:first|second|third|\w+th))\b/;

export function onlyRulesOutDay(text: string): boolean {
  const plain = comparableWords(text).join(' ');
  const rest = plain.replace(/^(?:but )/, '');
  return !text.includes('?') && !OTHER_TIME.test(rest) && plain.search(RULED_OUT_DAYS) >= 0 && areAllRuledOut(plain);
}

function areAllRuledOut(plain: string): boolean {
  const ruledOut = new Set((plain.match(RULED_OUT_DAYS) ?? []).flatMap((part) => part.match(DAYS) ?? []));
  return (plain.match(DAYS) ?? []).every((day) => ruledOut.has(day));
}

/** The act of naming only a time of day. */
export const ONLY_TIME = 'only-time';
const ASKS_WHICH_DAY = /\b(?:which|what) (?:other )?(?:day|date)\b[^.!?]*\?/i;

/** "At ten in the morning" does not answer "Which day can I count on?". */
export const onlyNamesTime = ({ say, understanding }: DialogueNode, text: string): boolean =>
  understanding?.slots.includes('time') !== true &&
  Object.values(say).filter((line) => ASKS_WHICH_DAY.test(line)).length > 1 &&
  isOnlyValue(parseSpoken(spellOutFigures(text)).plain, ['time']) &&
  !findSlots(parseSpoken(spellOutFigures(text)).plain).includes('date');

const ASKS_FOR_DAY = /\b(?:which|what) (?:other )?(?:day|date)\b[^.!?]*\?|\bwhen\b[^.!?]*\?/i;

/** Whether the coach asks for a day at most levels. */
export function asksForDay({ say }: DialogueNode): boolean {
  const lines = Object.values(say);
  return lines.filter((line) => ASKS_FOR_DAY.test(line)).length > lines.length / 2;
}
