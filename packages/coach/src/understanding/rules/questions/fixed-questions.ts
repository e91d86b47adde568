/**
 * Recognises turns that mean the same in every scene: questions to the person whom the coach plays ("Why not?"),
 * requests for a word, interruptions.
 */
import type { DialogueIntent } from '@parley/domain';
import { comparableWords } from '../../../text/comparable-words.ts';

export const WHY_NOT = 'why-not';
export const OPINION = 'opinion';
export const OTHER_PERSON = 'other-person';
export const COACH_NAME = 'coach-name';
export const ABOUT_PERSON = 'about-person';
export const OTHER_LANGUAGE = 'other-language';
export const HELP = 'help';
/** The act of leaving the choice to the coach. */
export const UP_TO_COACH = 'up-to-coach';
/** The act of finding the practice too easy. */
export const TOO_EASY = 'too-easy';
const CLARIFY = 'clarify';
const REPEAT = 'repeat';
/** The act of asking whether one's English is good enough, or of apologising for it. */
const ABOUT_MISTAKES = 'other-language-apology';
/** The act of asking why the coach wants to know something. */
export const WHY_ASK = 'why-ask';
export const TIME_TO_THINK = 'time-to-think';

const LEAD =
  '(?:(?:and|but|so|oh|well|okay|hm|yes|no|sorry|please|thanks|then|excuse me|honestly|hello|tell me|may i ask|can you tell me) )*';
const END = '(?: (?:please|then|today|now|instead|sorry|thanks|exactly))*';
const whole = (...phrases: readonly string[]): RegExp => new RegExp(`^${LEAD}(?:${phrases.join('|')})${END}$`);

const OTHERS =
  '(?:(?:(?:your|the|a|an|some|another|any|somebody|someone) )?(?:\\w+ )?(?:manager|boss|supervisor|chief|superior|director|colleague|somebody else|someone else|anybody else|anyone else|person|in charge|responsible)|(?:mr|mrs|ms|miss|dr|doctor) \\w+)';
const LANGUAGE =
  '(?:(?:an)?other languages?|my language|arabic|cantonese|chinese|czech|dutch|farsi|french|german|greek|hindi|hungarian|italian|japanese|korean|mandarin|persian|polish|portuguese|romanian|russian|spanish|swedish|thai|turkish|ukrainian|urdu|vietnamese)';
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  [
    WHY_NOT,
    whole(
      'why not',
      'why (?:can|could|do|will|would) (?:you|we) not(?: do (?:it|that))?',
      'why (?:can|could|do|will|would) not (?:you|we)(?: do (?:it|that))?',
      'why (?:is|are) (?:it|that|this) (?:not possible|impossible)',
      'why (?:it|that|this)? ?is not possible',
    ),
  ],
  [
    OPINION,
    whole(
      'what (?:do|did) you think(?: (?:about|of) (?:it|that|this))?',
      'what (?:is|was) your (?:own |personal )?(?:opinion|view|point of view)(?: (?:about|on|of) (?:it|that|this))?',
      'what are your thoughts',
      'how (?:do|would) you see (?:it|that|this)',
      'what would you (?:do|say)(?: in my (?:place|position|shoes|situation)| if you were me)?',
      'how would you do (?:it|that|this)',
    ),
  ],
  [
    OTHER_PERSON,
    whole(
      `(?:can|could|may) i (?:speak|talk)(?: (?:to|with))? ${OTHERS}(?: here)?`,
      `i (?:want|would like|need|prefer|would rather|wish|would prefer)(?: to)? (?:speak|talk)(?: (?:to|with))? ${OTHERS}`,
      `let me (?:speak|talk) (?:to|with) ${OTHERS}`,
      `(?:can|could|would) you (?:please )?(?:call|get|put me through to|connect me (?:to|with)) ${OTHERS}(?: for me)?`,
      `(?:where|who) is (?:your|the) (?:\\w+ )?(?:manager|boss|supervisor)`,
      `is (?:your|the) (?:\\w+ )?(?:manager|boss|supervisor) (?:there|here|in|available)`,
      '(?:is there )?(?:somebody|someone|anybody|anyone) else (?:that |who )?i (?:can|could) (?:speak|talk) (?:to|with)',
    ),
  ],
  [
    OTHER_LANGUAGE,
    whole(
      `(?:do|can|could) (?:you|we|i) (?:also |maybe |perhaps )?(?:speak|talk|understand|know|say (?:it|that|this)|do (?:it|that|this))(?: (?:in|a little|a bit of|any|some))? ${LANGUAGE}`,
      `(?:(?:can|could|would|will) you )?(?:please )?translate(?: (?:it|this|that|the \\w+|your \\w+|for me))*(?: (?:in|into|to) ${LANGUAGE})?`,
      `(?:(?:can|could|would|will) you )?(?:(?:please )?(?:say|repeat|explain)(?: (?:it|this|that))? )?(?:in|into) ${LANGUAGE}`,
    ),
  ],
  [
    TOO_EASY,
    new RegExp(
      `^${LEAD}(?:(?:(?:this|it|that|the practice|the exercise) is )?(?:much |far |way |a bit |a little |really )*too (?:easy|simple)(?: for me)?|(?:can|could) you (?:speak|talk|ask|be|make it|make this) (?:\\w+ )?(?:more difficult|harder))(?: (?:i am bored|(?:(?:can|could) (?:you|we|i) |please |i (?:want|need) )(?:\\w+ ){0,4}(?:difficult|harder|faster|level)))?${END}$`,
    ),
  ],
  [CLARIFY, whole('(?:do |did )?you mean .+ or .+')],
  [REPEAT, whole('come again', 'what was that')],
  [
    ABOUT_MISTAKES,
    whole(
      '(?:did|do|have) i (?:make|made|making) (?:a |any |many |some )?mistakes?',
      '(?:did|do) i (?:say|speak) (?:it |that |this |something )?(?:wrong|right|correct|correctly|well)',
      '(?:is|was) my (?:english|grammar|sentence|pronunciation) (?:good|correct|right|wrong|bad|okay|understandable)(?: enough)?',
    ),
  ],
  [
    UP_TO_COACH,
    whole(
      '(?:(?:its|it is|that is) )?(?:all |completely |totally )?(?:up to you|your (?:choice|decision))',
      'you (?:can |may |should )?(?:choose|decide)(?: (?:it|that|for me))?',
      '(?:as|whatever|however) you (?:like|want|wish|prefer)',
    ),
  ],
  [
    HELP,
    whole(
      'how (?:do|can|could|should|would|to) (?:you |we |i |one )?(?:say|call|express|put) (?:it|this|that)(?: in english)',
      'how (?:i|we) (?:can |could |should )?(?:say|call|express|put) (?:it|this|that)(?: in english)',
    ),
  ],
  [
    TIME_TO_THINK,
    new RegExp(
      `^${LEAD}(?:(?:just|only|wait|hold on|hang on|give me) )*(?:a|one) (?:second|sec|moment|minute) ${LEAD}(?:(?:my|the|our) (?:\\w+ )?(?:phone|telephone|doorbell|bell|door)|(?:there is )?(?:somebody|someone|the postman) (?:is )?(?:at|knocking|calling|ringing))\\b`,
    ),
  ],
];

export function findFixedQuestion(text: string): string | null {
  const plain = comparableWords(text).join(' ');
  return PATTERNS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

const WHY_OF_OTHERS =
  /^(?:\w+ ){0,3}why (?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|must)(?: not)? (?!(?:you|i|we|it|that|this)\b)/;
const OF_ASKING =
  /\b(?:ask\w*|questions?|matters?|important|relevant|interest\w*|necessary|answers?)\b|\byou (?:\w+ )?(?:know|want|need)\b/;

/** "Why does your manager have to sign it?" asks for a reason in the scene, not why the coach asks. */
export function mayAskWhyAsked(text: string): boolean {
  const plain = comparableWords(text).join(' ');
  return !WHY_OF_OTHERS.test(plain) || OF_ASKING.test(plain);
}

const OF_HEARING =
  /\b(?:repeat\w*|again|say|said|saying|tell|told|hear\w*|mis\w+|catch|caught|get|got|underst\w+|pardon|sorry|what|huh|once|lost|listen\w*|follow|last|questions?|words?|sentence|beg|excuse)\b/;
const MAX_UNCLEAR_WORDS = 2;

/** "Come ten minutes before?" sounds like "Come again?", but asks for nothing to be repeated. */
export function mayAskToRepeat(text: string): boolean {
  const words = comparableWords(text);
  return words.length <= MAX_UNCLEAR_WORDS || OF_HEARING.test(words.join(' '));
}

const HEARS_BADLY =
  /\b(?:repeat\w*|say (?:it|that) again|once more|one more time|louder|speak up|slower|(?:more )?slowly|(?:can|could|did|do) not (?:\w+ )?(?:hear|catch|understand|get)|hardly hear|pardon)\b/;
const MIN_EXAMPLES_OF_HEARING = 5;
/** "I repeat: zero, one, five" */
const REPEATS_ONESELF = /\b(?:(?:i|we)(?: (?:can|will|would|must|have to))?(?: just)? (?:repeat|say|said)|let me)\b/;

/** Acts of a learner who has not heard the coach. */
export const isOfHearing = (act: string): boolean => act === REPEAT || act === 'louder' || act === 'slower';

/** Whether asking to hear something again is an answer, as on a bad line. */
export const answersByAsking = ({ examples }: DialogueIntent): boolean =>
  examples
    .map((example) => comparableWords(example).join(' '))
    .filter((example) => HEARS_BADLY.test(example) && !REPEATS_ONESELF.test(example)).length >= MIN_EXAMPLES_OF_HEARING;

const OF_MACHINE =
  /\b(?:robot|computer|machine|human|real|ai|artificial|(?:chat ?)?gpt|chat ?bot|bot|program|app|record\w*|voice|native|teacher|coach|feelings|see me|made you|what are you|man or|woman|person)\b/;
const OF_NAME = /\b(?:name|who (?:are|is)|who am i|whom?)\b/;

/** A question to the coach is about the person whom the coach plays, unless it asks what the coach is. */
export function subjectOfQuestionToCoach(text: string): 'machine' | 'name' | 'person' {
  const plain = comparableWords(text).join(' ');
  if (OF_MACHINE.test(plain)) return 'machine';
  return OF_NAME.test(plain) ? 'name' : 'person';
}
