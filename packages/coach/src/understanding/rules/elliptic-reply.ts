/** Recognises replies that mean something only after the question just asked, such as "No, I don't" or "Not yet". */
import type { DialogueNode } from '@parley/domain';
import { comparableWords, isFunctionWord } from '../../text/comparable-words.ts';

const ANSWER_WORDS: ReadonlySet<string> = new Set(
  (
    'yes yeah yep yup no nope nah not never none nothing neither okay all right sure surely course certainly absolutely definitely exactly ' +
    'correct true fine good great perfect indeed actually unfortunately maybe perhaps probably possibly yet still always must am know ' +
    'think believe guess hope suppose afraid idea clue worries thank thanks sorry oh ah well hm um any some one ones too also either at ' +
    'only much lot more else again now'
  ).split(' '),
);
export const isAnswerWord = (word: string): boolean => ANSWER_WORDS.has(word);
/** "No problem" agrees, whereas "There is no problem" and "No problems" report something. */
const AGREED = /\b(?<!\b(?:is|have|has|had) )no problem\b/;

export const agreesWith = (words: readonly string[], others: ReadonlySet<string> = new Set()): boolean =>
  words.every((word) => isFunctionWord(word) || ANSWER_WORDS.has(word) || others.has(word));

export const isElliptic = (text: string): boolean =>
  agreesWith(comparableWords(comparableWords(text).join(' ').replace(AGREED, '')));

const YES_OR_NO = /^(?:(?:oh|well|ah) )?(?:yes|yeah|yep|yup|no|nope)\b/;

/** "Yes." and "No, thank you." where the question asks for more. */
export const isYesOrNo = (text: string): boolean =>
  !text.includes('?') && isElliptic(text) && YES_OR_NO.test(comparableWords(text).join(' '));

const AFFIRMED =
  /^(?:(?:oh|well|ah) )?(?:yes|yeah|yep|yup|sure|of course|okay|certainly|absolutely|definitely|i do|i have)\b/;
const DECLINED = /\b(?:no|not|nope|never|none|nothing|neither|thank|thanks)\b/;
const ANNOUNCED: ReadonlySet<string> = new Set(
  'question questions idea ideas suggestion suggestions ask tell say something small quick short little few like want got two three'.split(
    ' ',
  ),
);

/** The act of a learner who has announced something. The coach lets the learner continue instead of asking again. */
export const GO_AHEAD = 'go-ahead';

/** "Yes, I do." and "I have a question." in answer to "Do you have a question?": the question itself is still to come. */
export function isOnlyAnnouncement(text: string): boolean {
  const words = comparableWords(text);
  const plain = words.join(' ');
  if (text.includes('?') || DECLINED.test(plain)) return false;
  const isNamed = words.some((word) => /^(?:question|idea|suggestion|ask)/.test(word));
  return (AFFIRMED.test(plain) || isNamed) && agreesWith(words, ANNOUNCED);
}

const ANNOUNCEMENT =
  /^(?:(?:yes|oh|well|sorry|excuse me|and|but|so|okay|please)[,.!]? )*(?:(?:can|could|may) i ask (?:you )?(?:something|(?:a|one|another) (?:\w+ )?question|one (?:more )?thing)|i(?: have|'ve got|’ve got|'ve| got) (?:a|one|another) (?:\w+ )?question)(?: for you|,? please)?[.:?!,]+ +(?=\S)/i;

/** "Can I ask something? When does it start?" asks what follows. */
export const withoutAnnouncement = (text: string): string => text.replace(ANNOUNCEMENT, '');

const OFFERED = new RegExp(
  [
    '\\b(?:you (?:\\w+ )?(?:have|got)|any)\\b[^.!?]*\\b(?:questions?|ideas?|suggestions?|examples?|problems?)\\b[^.!?]*\\?',
    '\\bwhat (?:do|would) you (?:like|want|need) to (?:ask|know)\\b[^.!?]*\\?',
    '\\bwould you like to (?:ask|know|say|tell)\\b[^.!?]*\\?',
    '\\b(?:is|are|have|did|do)\\b[^.!?]*\\b(?:anything|something)\\b[^.!?]*\\?',
    '\\bis there a problem\\b[^.!?]*\\?',
    '\\b(?:think of|give me) an example\\b[^.!?]*\\?',
    '\\btak(?:e|ing) any\\b[^.!?]*\\?',
    '\\b(?:may|can|could|would) (?:i|you)\\b[^.!?]*\\b(?:your name|phone number|spell|ask what|tell me|describe|explain)\\b[^.!?]*\\?',
  ].join('|'),
  'i',
);

/** Whether the coach asks the learner to tell, ask or suggest something, and no author expects a mere "Yes" there. */
export const offersTheFloor = ({ say, understanding }: DialogueNode): boolean =>
  Object.values(say).some((line) => OFFERED.test(line)) &&
  understanding?.intents.every(({ examples }) => !examples.some(isOnlyAnnouncement)) === true;
