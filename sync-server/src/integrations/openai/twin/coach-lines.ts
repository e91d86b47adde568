/** A plausible coach without a model: short lines with one question, by simple rules over what was said. */

const STARTS_OVER = /^begin\.?$/i;

const RULES: readonly { when: RegExp; says: readonly string[] }[] = [
  {
    when: /\b(good ?bye|bye|see you|have to go)\b/i,
    says: ['It was good to talk with you. Shall we meet again tomorrow?'],
  },
  {
    when: /\b(repeat|pardon|don'?t understand|what do you mean)\b/i,
    says: ["Of course, I'll put it more simply. Which part was unclear?"],
  },
  { when: /\b(thanks|thank you)\b/i, says: ["You're very welcome. Is there anything else that you need?"] },
  {
    when: /^(hi|hello|hey|good (morning|afternoon|evening))\b/i,
    says: ['Hello, nice to meet you! How has your day been so far?'],
  },
  {
    when: /\b(because|since|that'?s why)\b/i,
    says: ['That is a good reason. What happened then?', 'I see why. Would you do it again?'],
  },
  {
    when: /\b(problem|worried|difficult|late|delay\w*|mistake|sorry)\b/i,
    says: ["Don't worry, we will find a way. When did it begin?", 'I understand. What would help you most?'],
  },
  {
    when: /\?\s*$/,
    says: ['Good question. I would say yes. What do you think yourself?', 'It depends. What matters most to you?'],
  },
];

const FOLLOW_UPS = [
  'could you tell me a little more about that?',
  'how did you feel about it?',
  'what would you do differently next time?',
  'why is that important to you?',
] as const;

/** The last of what was said is answered; nothing said yet is greeted. */
export function coachLine({ instructions, said }: { instructions: string; said: readonly string[] }): string {
  const words = said.filter((line) => !STARTS_OVER.test(line.trim()));
  const last = words.at(-1)?.trim() ?? '';
  if (last === '') return `${greetingOf(instructions)} What would you like to talk about?`;
  const turn = words.length - 1;
  const rule = RULES.find(({ when }) => when.test(last));
  if (rule !== undefined) return pick(rule.says, turn);
  if (last.split(/\s+/).length < 4) return 'I see. Could you say that in a whole sentence?';
  return `${echoOf(last)} ${pick(FOLLOW_UPS, turn).replace(/^./, (letter) => letter.toUpperCase())}`;
}

const pick = (lines: readonly string[], turn: number): string => lines[turn % lines.length] ?? '';

/** In the role that the instructions give, where they begin as most do. */
function greetingOf(instructions: string): string {
  const name = /\bYou are ([A-Z][\p{L}'-]*(?: [A-Z][\p{L}'-]*)?)(?=[,.\s])/u.exec(instructions)?.[1];
  return name === undefined ? 'Hello and welcome!' : `Hello, I'm ${name}.`;
}

/** Takes the longest word up, as somebody who listens does. */
function echoOf(last: string): string {
  const words = last.match(/[\p{L}'-]+/gu) ?? [];
  const longest = words.reduce((kept, word) => (word.length > kept.length ? word : kept), '');
  return longest.length < 4 ? 'That is interesting.' : `You mentioned "${longest.toLowerCase()}", that is interesting.`;
}
