/** Recognises turns that correct a detail, remind the coach of an answer, or take leave, and answers that come with a reminder. */
import type { DialogueNode } from '@parley/domain';
import { comparableWords } from '../../../text/comparable-words.ts';
import { isElliptic } from '../elliptic-reply.ts';
import { correctedValue } from './self-corrections.ts';

/** The act of a learner whom the coach has misunderstood, or who has misspoken. */
export const CORRECTION = 'correction';
/** The act of a learner who would like to stop. */
export const STOP = 'stop';

const LEAD = String.raw`((?:(?:no|nope|sorry|oh|ah|well|wait|actually|but|pardon|excuse me|i'?m sorry)\b[\s,.!]*)*)`;
const END = String.raw`[\s.!]*$`;
const SAID = new RegExp(
  String.raw`^${LEAD}(?:not [\w' ]+?,? )?(?:but )?i (?:said|meant|mean|wanted to say) (.+?)(,? (?:and |but )?(?:not|instead of) .+?)?${END}`,
  'i',
);
const NOT_FIRST = new RegExp(String.raw`^${LEAD}not ([\w' -]+?), (?:but )?([\w' -]+?)${END}`, 'i');
const NOT_LAST = new RegExp(String.raw`^${LEAD}([\w' -]+?), (?:and )?not ([\w' -]+?)${END}`, 'i');

/**
 * "I mean it" and "I said that I was ill" correct no detail, and a pronoun would mean another person if the coach
 * repeated it.
 */
const NO_DETAIL =
  /^(?:it|that|this|so|something|another|no|yes|what|to|not)\b|\b(?:i|me|we|us|you|your|my|our|mine)\b/i;
const MAX_DETAIL_WORDS = 5;

export interface Correction {
  detail: string;
  /**
   * Whether it can only be a correction: "I meant two, not three", but not "Two, not three", which may answer a
   * question.
   */
  isCertain: boolean;
}

/** The learner's correction, in the learner's words. */
export function findCorrection(text: string): Correction | null {
  const plain = text.trim().replaceAll(/[’ʼ]/g, "'");
  const said = SAID.exec(plain);
  if (said !== null) {
    const [, lead = '', detail = '', contrast = ''] = said;
    return isDetail(detail) && (lead !== '' || contrast !== '') ? { detail: lowered(detail), isCertain: true } : null;
  }
  const value = correctedValue(plain);
  if (value !== null) return { detail: value, isCertain: true };
  const [, , wrong = '', right = ''] = NOT_FIRST.exec(plain) ?? [];
  const [, , first = '', notThat = ''] = NOT_LAST.exec(plain) ?? [];
  const [detail, other] = right === '' ? [first, notThat] : [right, wrong];
  return isDetail(detail) && isDetail(other) ? { detail: lowered(detail), isCertain: false } : null;
}

const isDetail = (words: string): boolean =>
  words !== '' && words.split(' ').length <= MAX_DETAIL_WORDS && !NO_DETAIL.test(words) && !isElliptic(words);

/** "Six, not sixteen" begins a sentence, and names of days and people keep their capitals. */
const lowered = (detail: string): string =>
  /^(?:The|A|An|With|At|On|In|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)\b/.test(detail)
    ? detail.charAt(0).toLowerCase() + detail.slice(1)
    : detail;

const REMINDER =
  /^(?:(?:no|but|sorry|well|oh|as) )*i (?:have |did )?(?:just |already )*(?:told|said|answered|mentioned|explained)(?: (?:you|that|it|this|so|already|before|just|now|to|your|the|question|all))+$/;

export const isReminder = (text: string): boolean => REMINDER.test(comparableWords(text).join(' '));

const BEFORE_REMINDER = '(?:(?:yes|no|well|oh|but|sorry|okay)\\b[\\s,.!]*)*';
const REMINDED = "(?:i|we)(?: have|['’ʼ]ve)?(?: already| just)? (?:said|told you|mentioned|explained)";
const AGAIN = '(?:that|it|so|already|before|earlier|just now)';
const REMINDERS = [
  `(?:as|like) ${REMINDED}(?: (?:already|before|earlier))* (?=\\S)(?!${AGAIN}(?:[\\s,.!]|$))`,
  `(?:(?:as|like) )?${REMINDED}(?: ${AGAIN})*\\s*[,.:;]\\s*(?=\\S)`,
  `(?:i|we)(?: have|['’ʼ]ve)? already told you (?:that )?(?=(?:i|it|we|he|she|they|there|that|my|our|the)\\b)`,
].map((pattern) => new RegExp(`^${BEFORE_REMINDER}${pattern}`, 'i'));
const REMINDER_AT_END = new RegExp(`[\\s,]+(?:as|like) ${REMINDED}(?: ${AGAIN})*(?=[.!]*$)`, 'i');

/** "As I said, just me" answers as "Just me" does. A turn that only reminds stays as it is. */
export function withoutReminder(text: string): string {
  const reminder = REMINDERS.find((pattern) => pattern.test(text));
  return (reminder === undefined ? text : text.replace(reminder, '')).replace(REMINDER_AT_END, '');
}

/** The act of a learner who refers to something that was never said. */
export const REFERS_BACK = 'refers-back';
const SAME_AGAIN =
  /^(?:(?:oh|well|yes|okay|please|it is|that is|just|exactly|still|again|the) )*same(?: (?:thing|one|again))?(?: (?:as|like) (?:before|always|usual|ever|yesterday|i said|(?:the )?(?:last|other) (?:time|week|month|year)))?(?: (?:please|thanks|thank you))*$/;
const refersBack = (text: string): boolean => SAME_AGAIN.test(comparableWords(text).join(' '));

/**
 * Whether the learner says "The same as before" although the coach asks for a fact, which a coach who had heard it
 * would not do. If the author expects such an answer, it counts as one.
 */
const refersToNothing = ({ learns, understanding }: DialogueNode, text: string): boolean =>
  learns !== undefined &&
  refersBack(text) &&
  understanding?.intents.every(({ examples }) => !examples.some(refersBack)) === true;

/** The act of a turn that only says that the coach already knows the answer. */
export function actOfReminder(node: DialogueNode, text: string): string | null {
  if (isReminder(text)) return CORRECTION;
  return refersToNothing(node, text) ? REFERS_BACK : null;
}

const FAREWELL =
  /\b(?:bye|goodbye|see you|have a (?:nice|good|great|lovely) \w+|take care|good luck|all the best|enjoy (?:the|your) \w+|(?:it )?was (?:\w+ )?(?:nice|good|great|lovely|a pleasure) (?:to (?:meet|see|talk|speak)|meeting|seeing|talking|speaking))\b/;
const LEAVING_WORDS: ReadonlySet<string> = new Set(
  (
    'bye goodbye see you later soon tomorrow again next week then have a nice good great lovely day evening afternoon weekend night one take ' +
    'care thanks thank very much so lot for your the time help everything information talk call and okay well all right now it was pleasure ' +
    'until no oh nice to meet meeting talk talking speak speaking seeing with really enjoy conference rest event break lunch meal trip stay holiday party ' +
    'everybody everyone all luck best'
  ).split(' '),
);

export function isFarewell(text: string): boolean {
  const words = comparableWords(text);
  return words.every((word) => LEAVING_WORDS.has(word)) && FAREWELL.test(words.join(' '));
}

const STOPPING =
  /\b(?:stop|finish|end|quit|exit|cancel|close|enough|more|(?:good)?bye|see you|good night|leave|go|tired|pause|give up|continue|time|talk|call it a day|shut|next|start again)\b/;

/** "That's a lot" resembles "That's enough", but is not a wish to stop. */
export const mayAskToStop = (text: string): boolean => STOPPING.test(comparableWords(text).join(' '));

const STOP_PRACTISING =
  /^(?:(?:sorry|please|okay|well|no|but|and) )*(?:i|we) (?:do not (?:want|feel like|have time)|can not|would like to stop|want to stop|stop)(?: to)? (?:practi[sc]e|practi[sc]ing)\b(?: (?:any ?more|now|today|english|with you|this|further))*$/;

/** "I don't want to practise any more" answers no question of a scene. */
export const asksToStopPractising = (text: string): boolean => STOP_PRACTISING.test(comparableWords(text).join(' '));
