/** Extracts from a prompt what a default answer needs: the tagged material and the learner's turns. */

export interface Prompt {
  instructions: string;
  messages: readonly { role: string; text: string }[];
}

/** Fields that the prompt does not contain are null or empty. */
export interface PromptFacts {
  coachName: string | null;
  learnerName: string | null;
  title: string | null;
  /** In the prompt's words and order, with their status if it is given. */
  objectives: readonly string[];
  language: string | null;
  /** The coach's utterance to judge, answer or translate. */
  coachText: string | null;
  /** One entry per turn; empty when it was not understood. */
  learnerTurns: readonly string[];
  /** Whether the learner may still have objectives to reach. */
  isOpen: boolean;
  saysGoodbye: boolean;
  isLastAnswer: boolean;
  /** The marker with which a written reply ends the session; a voice has none. */
  endMark: string | null;
}

const MATERIAL_TAG = /<(?:scene|said|coach_said|language)>\n/;
const END_MARK = '<goodbye/>';

export function readPromptFacts({ instructions, messages }: Prompt): PromptFacts {
  const text = messages.map((message) => message.text).join('\n\n');
  const tagContents = (tag: string): string[] =>
    [...text.matchAll(new RegExp(`<${tag}>\\n([^]*?)\\n</${tag}>`, 'g'))].map(([, content]) => content ?? '');
  const labelledValue = (label: string): string | null => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1] ?? null;
  return {
    coachName: labelledValue('Name') ?? findCoachName(instructions),
    learnerName: labelledValue('First name'),
    title: labelledValue('Title'),
    objectives: tagContents('objectives').flatMap((lines) => lines.split('\n')),
    language: tagContents('language')[0] ?? null,
    coachText: tagContents('coach_said').at(-1) ?? null,
    learnerTurns: MATERIAL_TAG.test(text) ? tagContents('said') : userMessages(messages),
    isOpen: /\bStill open: /.test(instructions),
    saysGoodbye: /last\s+words\s+sound\s+like\s+a\s+goodbye/.test(instructions),
    isLastAnswer: /This\s+is\s+your\s+last\s+answer/.test(instructions),
    endMark: instructions.includes(END_MARK) ? END_MARK : null,
  };
}

/** A foreign prompt has no tags, so every user message counts. */
const userMessages = (messages: Prompt['messages']): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '' && !/^begin\.?$/i.test(text));

/** Matches the usual opening of instructions. */
const findCoachName = (instructions: string): string | null =>
  /\bYou are ([A-Z][\p{L}'-]*(?: [A-Z][\p{L}'-]*)?)(?=[,.\s])/u.exec(instructions)?.[1] ?? null;
