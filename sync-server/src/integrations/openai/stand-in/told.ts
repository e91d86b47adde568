/** What a prompt tells whoever answers it: the material between its tags, and what the learner said. */

export interface Prompt {
  instructions: string;
  messages: readonly { role: string; text: string }[];
}

/** Null and empty is what it does not tell. */
export interface Told {
  coachName: string | null;
  learnerName: string | null;
  title: string | null;
  /** In the prompt's words and order, with what has become of each where it says so. */
  objectives: readonly string[];
  language: string | null;
  /** The line to be judged, answered or translated. */
  coachSaid: string | null;
  /** Turn by turn; empty for one that was not understood. */
  said: readonly string[];
  /** The learner may have something to reach yet. */
  isOpen: boolean;
  takesLeave: boolean;
  isLastAnswer: boolean;
  /** The mark by which a written line ends the conversation; a voice has none. */
  endMark: string | null;
}

const MATERIAL = /<(?:scene|said|coach_said|language)>\n/;
const END_MARK = '<goodbye/>';

export function readPrompt({ instructions, messages }: Prompt): Told {
  const text = messages.map((message) => message.text).join('\n\n');
  const inside = (tag: string): string[] =>
    [...text.matchAll(new RegExp(`<${tag}>\\n([^]*?)\\n</${tag}>`, 'g'))].map(([, content]) => content ?? '');
  const labelled = (label: string): string | null => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1] ?? null;
  return {
    coachName: labelled('Name') ?? nameIn(instructions),
    learnerName: labelled('First name'),
    title: labelled('Title'),
    objectives: inside('objectives').flatMap((lines) => lines.split('\n')),
    language: inside('language')[0] ?? null,
    coachSaid: inside('coach_said').at(-1) ?? null,
    said: MATERIAL.test(text) ? inside('said') : plainlySaid(messages),
    isOpen: /\bStill open: /.test(instructions),
    takesLeave: /last\s+words\s+sound\s+like\s+a\s+goodbye/.test(instructions),
    isLastAnswer: /This\s+is\s+your\s+last\s+answer/.test(instructions),
    endMark: instructions.includes(END_MARK) ? END_MARK : null,
  };
}

/** A prompt of somebody else's: all that stands on the other side. */
const plainlySaid = (messages: Prompt['messages']): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '' && !/^begin\.?$/i.test(text));

/** Where instructions begin as most do. */
const nameIn = (instructions: string): string | null =>
  /\bYou are ([A-Z][\p{L}'-]*(?: [A-Z][\p{L}'-]*)?)(?=[,.\s])/u.exec(instructions)?.[1] ?? null;
