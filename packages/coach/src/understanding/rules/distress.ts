/**
 * Recognises learners who are in danger or in grief and say so instead of playing the scene. The coach then leaves its
 * role: it is kind and practical, and does not ask its question again.
 */
import type { DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';

/** The act of a learner who may be in danger: suicidal thoughts, or violence. */
export const IN_DANGER = 'in-danger';
/** The act of a learner who is upset. */
export const UPSET = 'upset';

const CLOSE =
  'husband|wife|partner|boyfriend|girlfriend|father|mother|dad|mum|mom|parents|brother|sister|son|daughter|child|baby|uncle|aunt|stepfather|stepmother|ex';
const FAMILY = `${CLOSE}|grandfather|grandmother|grandpa|grandma|cousin|friend|best friend|dog|cat`;
const HURTS =
  '(?:hits|beats|hit|beat|hurts|raped|rapes|abuses|abused|threatens|threatened|kicks|punched|strangled|attacked|(?:is|keeps) (?:hitting|beating|hurting|threatening|abusing)|(?:wants|is going|threatens) to (?:kill|hurt))';
/** "My brother beat me at chess", "The price hit me in the face". */
const NO_FIGURE_OF_SPEECH = '(?! (?:at|in|to|with|by)\\b)';
const DANGER = new RegExp(
  [
    '\\b(?:want|going|will|would|plan|planning|thinking|think|might|try|trying|feel like|thoughts)\\b(?: \\w+){0,3} (?:kill|killing|hurt|hurting|harm|harming) myself\\b(?! for\\b)',
    '^(?:i )?(?:kill|killing) myself$',
    '\\b(?:want|wish|like|prefer|rather)(?: (?:i|to|was|were))* (?:die|be dead|dead)\\b(?! (?:of|from|laughing|for)\\b)',
    '\\b(?:(?:do|can) not (?:want to )?|no longer want to )(?:live|be alive|go on living)(?: (?:any ?more|like this|now))*$',
    '\\b(?:end|take) my (?:own )?life\\b|\\bsuicid(?:e|al)\\b|\\b(?:no|any) reason to live\\b|\\bself harm\\b|\\bbetter off (?:dead|without me)\\b',
    `\\bmy (?:${CLOSE}) (?:\\w+ )?${HURTS} me\\b${NO_FIGURE_OF_SPEECH}`,
    `\\b(?:he|she|they|somebody|someone) (?:\\w+ )?(?:hits|beats|raped|rapes|abuses|abused|(?:wants|is going|threatens) to kill) me\\b${NO_FIGURE_OF_SPEECH}`,
    '\\bi (?:am|was|have been) (?:being )?(?:raped|abused|beaten)\\b',
    '\\bi (?:am in danger|am not safe|do not feel safe)(?: (?:at home|here|now))*$',
  ].join('|'),
);

const VERY = '(?:(?:so|very|really|too|extremely|just|a bit|a little|feeling) )*';
const GRIEF = new RegExp(
  [
    `\\bmy (?:${FAMILY}) (?:\\w+ )?(?:died|dead|dying|passed away)\\b`,
    `^(?:(?:sorry|oh|well|no|but|and) )*i (?:am|feel) ${VERY}(?:sad|depressed|desperate|hopeless|lonely|miserable|heartbroken)(?!\\w| (?:to hear|for you|for him|for her|about))`,
    '\\bi (?:am|keep|can not stop) crying\\b',
    '\\bi (?:am having|have|had) a panic attack\\b',
    '\\bi can not (?:take|stand|bear) (?:it|this) any ?more\\b',
  ].join('|'),
);

const NERVOUS = new RegExp(
  `^(?:(?:sorry|oh|well|no) )*i am ${VERY}(?:nervous|shy|anxious|scared|frightened)(?: (?:when i|to|now|and|because i|i|can not|do|speak|talk|this|it|english|with you))*$`,
);

const OF_PET = /\bmy (?:dog|cat)\b/;

/**
 * In some scenes a learner tells such things as part of the role: a bereavement is a reason to swap a shift. A scene
 * that expects a dead cat is not prepared for a dead father.
 */
const isExpected = ({ understanding }: DialogueNode, text: string): boolean =>
  understanding?.intents.some(({ examples }) =>
    examples
      .map((example) => comparableWords(example).join(' '))
      .some((example) => GRIEF.test(example) && OF_PET.test(example) === OF_PET.test(text)),
  ) === true;

export function actOfDistress(node: DialogueNode, text: string): typeof IN_DANGER | typeof UPSET | null {
  const plain = comparableWords(text).join(' ');
  if (DANGER.test(plain)) return IN_DANGER;
  return NERVOUS.test(plain) || (GRIEF.test(plain) && !isExpected(node, plain)) ? UPSET : null;
}
