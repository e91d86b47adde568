/** A conversation in the size and the form in which a model is told of it. */
import type { Turn } from '@parley/domain';
import { disarmed, fence, joinPrompts } from './fence.ts';
import type { Message } from './language-model.ts';
import { ourWords, type PromptText } from './prompts.ts';

/** How a conversation began says what it is about. */
const FIRST_TURNS = 4;
const MAX_TURNS = 80;
const MAX_CHARS = 16_000;
const MAX_TURN_CHARS = 1_500;

export interface BoundedTurns {
  first: readonly Turn[];
  /** Turns between the two that nobody is told of. */
  leftOut: number;
  last: readonly Turn[];
}

/** The beginning and, of the rest, the end: what there is room for. The last turn is always there. */
export function boundTurns(turns: readonly Turn[]): BoundedTurns {
  const charsOf = (turn: Turn | undefined): number => Math.min(turn?.text.length ?? 0, MAX_TURN_CHARS);
  const first = turns.slice(0, FIRST_TURNS);
  let room = MAX_CHARS - first.reduce((chars, turn) => chars + charsOf(turn), 0);
  let from = turns.length;
  while (from > first.length && turns.length - from < MAX_TURNS - FIRST_TURNS) {
    room -= charsOf(turns[from - 1]);
    if (room < 0 && from < turns.length) break;
    from -= 1;
  }
  return { first, leftOut: from - first.length, last: turns.slice(from) };
}

const noteOf = (leftOut: number): PromptText =>
  ourWords(leftOut === 0 ? '' : `<note>${leftOut} turns of the conversation are left out here.</note>`);

const learnerSaid = (text: string): PromptText => fence('said', [disarmed(text, MAX_TURN_CHARS)]);

/** For whoever judges or continues it from outside: one text, each turn behind its own fence, so that no turn can contain another. */
export function transcriptOf(turns: readonly Turn[]): PromptText {
  const { first, leftOut, last } = boundTurns(turns);
  const told = (turn: Turn): PromptText =>
    turn.role === 'learner' ? learnerSaid(turn.text) : fence('coach_said', [disarmed(turn.text, MAX_TURN_CHARS)]);
  return joinPrompts([...first.map(told), noteOf(leftOut), ...last.map(told)]);
}

/**
 * For whoever takes part in it: turn by turn, after the material. A device sends the coach's lines back to us, so that they too could be made
 * up; they are disarmed, but not fenced, or a model would begin to speak in tags. Roles alternate, as some models demand.
 */
export function dialogueOf(material: PromptText, turns: readonly Turn[]): Message[] {
  const { first, leftOut, last } = boundTurns(turns);
  const told = (turn: Turn): Message => ({
    role: turn.role,
    text: turn.role === 'learner' ? learnerSaid(turn.text) : disarmed(turn.text, MAX_TURN_CHARS),
  });
  const note: Message[] = leftOut === 0 ? [] : [{ role: 'learner', text: noteOf(leftOut) }];
  return joinNeighbours([{ role: 'learner', text: material }, ...first.map(told), ...note, ...last.map(told)]);
}

function joinNeighbours(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.role === message.role) before.text += `\n\n${message.text}`;
    else joined.push({ ...message });
  }
  return joined;
}
