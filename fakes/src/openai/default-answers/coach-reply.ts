/**
 * Answers like a coach without a model: picks up what was said, asks one simple question, and says goodbye at the end.
 */
import { keyWords, echoClause } from './echo-learner.ts';
import type { PromptFacts } from './prompt-facts.ts';

export interface DefaultReply {
  text: string;
  isGoodbye: boolean;
}

/** After this many turns of the learner, there is enough to see. */
const TURNS_BEFORE_GOODBYE = 6;
const TURNS_BETWEEN_OFFERS = 3;
const MIN_SENTENCE_WORDS = 4;

const GOODBYE = /\b(good ?bye|bye|see you|have to go)\b/i;

interface Reaction {
  pattern: RegExp;
  /** Follows the acknowledgement of what was said. */
  replies: readonly string[];
}

const SHORT_REACTIONS: readonly Reaction[] = [
  {
    pattern: /^(hi|hello|hey|good (morning|afternoon|evening))\b/i,
    replies: ['Hello, nice to meet you! How has your day been so far?'],
  },
  { pattern: /\b(thanks|thank you)\b/i, replies: ["You're very welcome. Is there anything else that you need?"] },
];

const REACTIONS: readonly Reaction[] = [
  {
    pattern: /\b(because|since|that'?s why)\b/i,
    replies: ['That is a good reason. What happened then?', 'That is a good reason. Would you do it again?'],
  },
  {
    pattern: /\b(problem|worried|difficult|late|delay\w*|mistake|sorry)\b/i,
    replies: ["Don't worry, we will find a way. When did it begin?", "Don't worry. What would help you most?"],
  },
];

const RETURN_QUESTIONS = ['What would you like best?', 'What matters most to you?'] as const;

const QUESTIONS = [
  'Could you tell me a little more about that?',
  'What else should I know about it?',
  'What would be a good next step?',
  'How do you feel about it?',
  'What would help you most?',
  'Is there anything that you would change?',
] as const;

/** Answers the last turn, or greets when nothing was said yet. */
export function coachReply(facts: PromptFacts): DefaultReply {
  const last = facts.learnerTurns.at(-1);
  const turns = facts.learnerTurns.length;
  if (
    facts.isLastAnswer ||
    facts.saysGoodbye ||
    GOODBYE.test(last ?? '') ||
    (turns >= TURNS_BEFORE_GOODBYE && !facts.isOpen)
  )
    return { text: 'It was good to talk with you. Thank you, and goodbye!', isGoodbye: true };
  return { text: last === undefined ? openingText(facts) : replyTo(last, turns), isGoodbye: false };
}

function openingText({ coachName, learnerName, title }: PromptFacts): string {
  const hello = learnerName === null ? 'Hello' : `Hello ${learnerName}`;
  const greeting = coachName === null ? `${hello} and welcome!` : `${hello}, I'm ${coachName}.`;
  return title === null
    ? `${greeting} What would you like to talk about?`
    : `${greeting} Our scene is “${title}”. What would you like to say first?`;
}

function replyTo(learnerText: string, turns: number): string {
  if (learnerText === '') return "I'm sorry, I did not hear that. Could you say it again?";
  if (/\b(repeat|pardon|don'?t understand|what do you mean)\b/i.test(learnerText))
    return "Of course, I'll put it more simply. Which part was unclear?";
  const isShort = learnerText.split(/\s+/).length <= MIN_SENTENCE_WORDS;
  const shortReaction = isShort ? SHORT_REACTIONS.find(({ pattern }) => pattern.test(learnerText)) : undefined;
  if (shortReaction !== undefined) return pickByTurn(shortReaction.replies, turns);
  if (turns >= TURNS_BEFORE_GOODBYE && turns % TURNS_BETWEEN_OFFERS === 0)
    return `${acknowledge(learnerText, turns)} We can stop here: just say goodbye. Or what else is there?`;
  if (/\?\s*$/.test(learnerText))
    return `Good question. ${acknowledgeQuestion(learnerText)} ${pickByTurn(RETURN_QUESTIONS, turns)}`;
  const reaction = REACTIONS.find(({ pattern }) => pattern.test(learnerText));
  if (reaction !== undefined) return `${acknowledge(learnerText, turns)} ${pickByTurn(reaction.replies, turns)}`;
  if (learnerText.split(/\s+/).length < MIN_SENTENCE_WORDS)
    return `${acknowledge(learnerText, turns)} Could you say that in a whole sentence?`;
  return `${acknowledge(learnerText, turns)} ${pickByTurn(QUESTIONS, turns)}`;
}

function acknowledge(learnerText: string, turns: number): string {
  const clause = echoClause(learnerText);
  if (clause !== null) return pickByTurn([`So ${clause}.`, `I see, ${clause}.`, `Right, ${clause}.`], turns);
  const words = keyWords(learnerText);
  return words === null ? 'I see.' : pickByTurn([`“${words}”, I see.`, `You mention “${words}”.`], turns);
}

function acknowledgeQuestion(learnerText: string): string {
  const words = keyWords(learnerText);
  return words === null ? 'I am not sure yet.' : `About “${words}” I am not sure yet.`;
}

/** Takes the lines in rotation. */
const pickByTurn = (lines: readonly string[], turns: number): string => lines[(turns - 1) % lines.length] ?? '';
