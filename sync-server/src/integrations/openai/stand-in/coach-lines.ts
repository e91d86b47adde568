/** A plausible coach without a model: takes up what was said, asks one simple question, and says goodbye in the end. */
import { keyWords, theirClause } from './pick-up.ts';
import type { Told } from './told.ts';

export interface StandInLine {
  text: string;
  isGoodbye: boolean;
}

/** Of the learner's; then there was enough to see. */
const ENOUGH_TURNS = 6;
const OFFERS_AGAIN_AFTER = 3;
const FEWER_IS_NO_SENTENCE = 4;

const TAKES_LEAVE = /\b(good ?bye|bye|see you|have to go)\b/i;

interface Reaction {
  when: RegExp;
  /** After what was taken up. */
  says: readonly string[];
}

const TO_SHORT_WORDS: readonly Reaction[] = [
  {
    when: /^(hi|hello|hey|good (morning|afternoon|evening))\b/i,
    says: ['Hello, nice to meet you! How has your day been so far?'],
  },
  { when: /\b(thanks|thank you)\b/i, says: ["You're very welcome. Is there anything else that you need?"] },
];

const REACTIONS: readonly Reaction[] = [
  {
    when: /\b(because|since|that'?s why)\b/i,
    says: ['That is a good reason. What happened then?', 'That is a good reason. Would you do it again?'],
  },
  {
    when: /\b(problem|worried|difficult|late|delay\w*|mistake|sorry)\b/i,
    says: ["Don't worry, we will find a way. When did it begin?", "Don't worry. What would help you most?"],
  },
];

const BACK_TO_THEM = ['What would you like best?', 'What matters most to you?'] as const;

const QUESTIONS = [
  'Could you tell me a little more about that?',
  'What else should I know about it?',
  'What would be a good next step?',
  'How do you feel about it?',
  'What would help you most?',
  'Is there anything that you would change?',
] as const;

/** The last of what was said is answered; nothing said yet is greeted. */
export function coachLine(told: Told): StandInLine {
  const last = told.said.at(-1);
  const turns = told.said.length;
  if (told.isLastAnswer || told.takesLeave || TAKES_LEAVE.test(last ?? '') || (turns >= ENOUGH_TURNS && !told.isOpen))
    return { text: 'It was good to talk with you. Thank you, and goodbye!', isGoodbye: true };
  return { text: last === undefined ? openingOf(told) : answerTo(last, turns), isGoodbye: false };
}

function openingOf({ coachName, learnerName, title }: Told): string {
  const hello = learnerName === null ? 'Hello' : `Hello ${learnerName}`;
  const greeting = coachName === null ? `${hello} and welcome!` : `${hello}, I'm ${coachName}.`;
  return title === null
    ? `${greeting} What would you like to talk about?`
    : `${greeting} Our scene is “${title}”. What would you like to say first?`;
}

function answerTo(said: string, turns: number): string {
  if (said === '') return "I'm sorry, I did not hear that. Could you say it again?";
  if (/\b(repeat|pardon|don'?t understand|what do you mean)\b/i.test(said))
    return "Of course, I'll put it more simply. Which part was unclear?";
  const isShort = said.split(/\s+/).length <= FEWER_IS_NO_SENTENCE;
  const toShort = isShort ? TO_SHORT_WORDS.find(({ when }) => when.test(said)) : undefined;
  if (toShort !== undefined) return pick(toShort.says, turns);
  if (turns >= ENOUGH_TURNS && turns % OFFERS_AGAIN_AFTER === 0)
    return `${takeUp(said, turns)} We can stop here: just say goodbye. Or what else is there?`;
  if (/\?\s*$/.test(said)) return `Good question. ${aboutIt(said)} ${pick(BACK_TO_THEM, turns)}`;
  const reaction = REACTIONS.find(({ when }) => when.test(said));
  if (reaction !== undefined) return `${takeUp(said, turns)} ${pick(reaction.says, turns)}`;
  if (said.split(/\s+/).length < FEWER_IS_NO_SENTENCE)
    return `${takeUp(said, turns)} Could you say that in a whole sentence?`;
  return `${takeUp(said, turns)} ${pick(QUESTIONS, turns)}`;
}

function takeUp(said: string, turns: number): string {
  const clause = theirClause(said);
  if (clause !== null) return pick([`So ${clause}.`, `I see, ${clause}.`, `Right, ${clause}.`], turns);
  const words = keyWords(said);
  return words === null ? 'I see.' : pick([`“${words}”, I see.`, `You mention “${words}”.`], turns);
}

function aboutIt(said: string): string {
  const words = keyWords(said);
  return words === null ? 'I am not sure yet.' : `About “${words}” I am not sure yet.`;
}

/** In turn, from the first on. */
const pick = (lines: readonly string[], turns: number): string => lines[(turns - 1) % lines.length] ?? '';
