/** Recognises replies that mean something only after the question just asked, such as "No, I don't" or "Not yet". */
import { comparableWords, isFunctionWord } from '../text/comparable-words.ts';

const ANSWER_WORDS: ReadonlySet<string> = new Set(
  (
    'yes yeah yep yup no nope nah not never none nothing neither okay all right sure surely course certainly absolutely definitely exactly ' +
    'correct true fine good great perfect indeed actually unfortunately maybe perhaps probably possibly yet still always must am know ' +
    'think believe guess hope suppose afraid idea clue worries thank thanks sorry oh ah well hm um any some one ones too also either at ' +
    'only much lot more else again now'
  ).split(' '),
);
export const isAnswerWord = (word: string): boolean => ANSWER_WORDS.has(word);
/** It agrees, whereas "There is no problem" and "No problems" report something. */
const AGREED = /\b(?<!\b(?:is|have|has|had) )no problem\b/;

export const isElliptic = (text: string): boolean =>
  comparableWords(text)
    .join(' ')
    .replace(AGREED, '')
    .split(' ')
    .every((word) => word === '' || isFunctionWord(word) || ANSWER_WORDS.has(word));
