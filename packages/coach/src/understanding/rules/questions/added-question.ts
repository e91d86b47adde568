/** Separates an answer from the question that a learner adds to it: "Two days late. Is that okay?", "Fine, thanks, and you?". */
import { comparableWords } from '../../../text/comparable-words.ts';
import { parseSpoken } from '../spoken-text.ts';
import { splitUnmarked } from '../unmarked-clauses.ts';

/**
 * `approval` asks whether the answer suits the coach, `returned` gives the coach's own question back, `request` asks for a favour, and
 * `other` asks anything else.
 */
export interface AddedQuestion {
  answer: string;
  question: string;
  kind: 'approval' | 'returned' | 'request' | 'other';
}

const LEAD = '(?:(?:and|so|but|okay|well|or) )?';
const SUITS =
  '(?:okay|fine|all right|alright|possible|good|enough|acceptable|too late|too early|too much|soon enough|a problem|not a problem|convenient)';
const APPROVAL = `${LEAD}(?:(?:is|would|will) (?:that|it|this) (?:be )?(?:a bit )?${SUITS}|(?:does|would) (?:that|it|this) (?:work|suit you|help|sound (?:okay|good|all right)|fit)|can you (?:accept|live with|agree to) (?:that|it|this)|do you (?:agree|accept (?:that|it)|mind)|are you okay with (?:that|it|this)|what do you think(?: about (?:that|it))?|how does that sound)(?: (?:for|with|to) you)?`;
const RETURNED = `${LEAD}(?:(?:what|how) about (?:you|yours|yourself|your \\w+)|(?:and|with) you|and yours|and yourself|how (?:is|was|are|were) yours|and your \\w+|you too|do you too|(?:(?:what|how) about )?you (?:where|what|when|how|who|which|(?:do|are|did|have|were) you)\\b.*)`;
const REQUEST = `^${LEAD}(?:can|could|would|will) you\\b`;

const LEAVE = `^${LEAD}(?:please )?(?:can|could|may|might) (?:i|we)\\b(?! (?:please )?(?:ask|know|hear|find out)\\b)`;

/**
 * "Can I ring you on Thursday?" asks for something that the coach can grant, not for something that the coach knows.
 */
export const asksLeave = (question: string): boolean => new RegExp(LEAVE).test(comparableWords(question).join(' '));

/** "Can you help me?" begins a request with which the scene continues. */
const HELP = `${LEAD}(?:please )?(?:can|could|would) you (?:please )?help(?: me| us)?(?: (?:please|with (?:it|that|this)))*`;

const isWhole = (pattern: string, words: string): boolean => new RegExp(`^${pattern}$`).test(words);
const kindOf = (question: string): AddedQuestion['kind'] | null => {
  const words = comparableWords(question).join(' ');
  if (isWhole(APPROVAL, words)) return 'approval';
  if (isWhole(RETURNED, words)) return 'returned';
  if (isWhole(HELP, words)) return null;
  const { question: form } = parseSpoken(question);
  if (form !== 'wh' && form !== 'auxiliary') return null;
  return new RegExp(REQUEST).test(words) ? 'request' : 'other';
};

/** In recognised speech, nothing separates the question from the answer. */
const UNMARKED = new RegExp(
  '^(.{4,}?)[\\s,]+((?:and |but |so )?(?:is (?:that|it|this) (?:okay|ok|fine|all right|alright|possible|a problem)(?: (?:for|with) you)?|does (?:that|it) (?:work|suit you)(?: for you)?|what do you think(?: about (?:that|it))?|(?:what|how) about you|and you|and yours|how was yours|how (?:was|were) your (?:flight|trip|journey|drive|weekend|holiday|week)))$',
  'i',
);

/** "I'm very busy, but what's the matter?" */
const JOINED =
  /^(.{4,}?),? (?:but|and|so) ((?:what|how|when|where|who|why|can|could|do|does|is|are|would|will|may)\b[^,.!?]*\?)$/i;

/** Null if a turn does not end with a question, asks more than one, or consists only of a question. */
export function splitAddedQuestion(text: string): AddedQuestion | null {
  const sentences = text.trim().split(/(?<=[.!?…;])\s+/);
  const last = sentences.at(-1) ?? '';
  const answer = sentences.slice(0, -1).join(' ');
  const kind = answer === '' ? null : kindOf(last);
  if (kind !== null) return isAnswer(answer) ? { answer, question: last, kind } : null;
  const bare = last.replace(/[.!?\s]+$/, '');
  const [, before = '', after = ''] = UNMARKED.exec(bare) ?? splitBeforeQuestion(bare) ?? splitJoined(last) ?? [];
  const unmarked = after === '' ? null : kindOf(after);
  const told = [answer, before].filter((part) => part !== '').join(' ');
  return unmarked !== null && isAnswer(told) ? { answer: told, question: after, kind: unmarked } : null;
}

/** In "The stairs how many are they", the first words only say what the question is about. */
const REFERS_BACK = /\b(?:it|they|them|that|this)\b/i;
const SUBORDINATE = /^(?:before|after|when|if|while|about|sorry)\b/i;

const isTopic = (before: string, question: string): boolean => REFERS_BACK.test(question) || SUBORDINATE.test(before);

function splitJoined(sentence: string): readonly string[] | null {
  const parts = JOINED.exec(sentence);
  return parts === null || isTopic(parts[1] ?? '', parts[2] ?? '') ? null : parts;
}

function splitBeforeQuestion(sentence: string): [all: string, before: string, after: string] | null {
  const clauses = splitUnmarked(sentence);
  const question = clauses.at(-1) ?? '';
  const before = sentence.slice(0, -question.length).trim();
  return clauses.length < 2 || isTopic(before, question) ? null : [sentence, before, question];
}

/** "Is it loud? I'd like a quiet room." Null unless only the first clause asks. */
export function splitLeadingQuestion(text: string): AddedQuestion | null {
  const sentences = text.trim().split(/(?<=[.!?…;])\s+/);
  const [question = '', ...others] = sentences.length > 1 ? sentences : splitUnmarked(text);
  const answer = others.join(' ');
  const kind = answer === '' ? null : kindOf(question);
  return (kind === 'other' || kind === 'request') && isAnswer(answer) ? { answer, question, kind } : null;
}

const GREETING =
  /^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|excuse me|sorry|thanks|thank you)(?: |$))+(?:there|everybody|everyone|all|again)?$/;

const isAnswer = (text: string): boolean =>
  !text.includes('?') && parseSpoken(text).question === 'none' && !GREETING.test(comparableWords(text).join(' '));

const WELL =
  /^(?:(?:hello|hi|oh|yes|well|thanks|thank you) )*(?:(?:i am|it is|everything is|all is) )?(?:(?:very|quite|pretty|really|doing|also|not) )*(?:fine|good|well|great|okay|bad|all right|perfect)(?: (?:too|thanks|thank you|today))*$/;

/** "I'm fine, thanks": the learner says how they are. */
export const answersHowAreYou = (answer: string): boolean => WELL.test(comparableWords(answer).join(' '));
