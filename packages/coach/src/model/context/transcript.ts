/** Limits a conversation to the size, and converts it to the form, that a model accepts. */
import type { Turn } from '@parley/domain';
import { sanitize, delimit, joinPrompts } from './delimit.ts';
import type { Message } from '../language-model.ts';
import { trustedText, type PromptText } from '../prompts.ts';

/** The first turns establish the topic, so they are always kept. */
const FIRST_TURNS = 4;
const MAX_TURNS = 80;
const MAX_CHARS = 16_000;
const MAX_TURN_CHARS = 1_500;

export interface LimitedTurns {
  first: readonly Turn[];
  /** The number of omitted turns in between. */
  omitted: number;
  last: readonly Turn[];
}

/** Keeps the first turns and as many of the last turns as fit. The last turn is always kept. */
export function limitTurns(turns: readonly Turn[]): LimitedTurns {
  const charsOf = (turn: Turn | undefined): number => Math.min(turn?.text.length ?? 0, MAX_TURN_CHARS);
  const first = turns.slice(0, FIRST_TURNS);
  let remainingChars = MAX_CHARS - first.reduce((chars, turn) => chars + charsOf(turn), 0);
  let from = turns.length;
  while (from > first.length && turns.length - from < MAX_TURNS - FIRST_TURNS) {
    remainingChars -= charsOf(turns[from - 1]);
    if (remainingChars < 0 && from < turns.length) break;
    from -= 1;
  }
  return { first, omitted: from - first.length, last: turns.slice(from) };
}

const omissionNote = (leftOut: number): PromptText =>
  trustedText(leftOut === 0 ? '' : `<note>${leftOut} turns of the conversation are left out here.</note>`);

const delimitLearnerTurn = (text: string): PromptText => delimit('said', [sanitize(text, MAX_TURN_CHARS)]);

/**
 * For a model that judges or comments on the conversation: one text with each turn delimited separately, so that no turn can imitate
 * another.
 */
export function delimitTranscript(turns: readonly Turn[]): PromptText {
  const { first, omitted, last } = limitTurns(turns);
  const render = (turn: Turn): PromptText =>
    turn.role === 'learner'
      ? delimitLearnerTurn(turn.text)
      : delimit('coach_said', [sanitize(turn.text, MAX_TURN_CHARS)]);
  return joinPrompts([...first.map(render), omissionNote(omitted), ...last.map(render)]);
}

/**
 * For a model that takes part in the conversation: one message per turn after the material. Coach turns come back from a device and may be
 * forged, so they are sanitised, but not delimited, because the model would start to speak in tags. Roles alternate, as some models
 * require.
 */
export function toMessages(material: PromptText, turns: readonly Turn[]): Message[] {
  const { first, omitted, last } = limitTurns(turns);
  const render = (turn: Turn): Message => ({
    role: turn.role,
    text: turn.role === 'learner' ? delimitLearnerTurn(turn.text) : sanitize(turn.text, MAX_TURN_CHARS),
  });
  const note: Message[] = omitted === 0 ? [] : [{ role: 'learner', text: omissionNote(omitted) }];
  return mergeAdjacent([{ role: 'learner', text: material }, ...first.map(render), ...note, ...last.map(render)]);
}

function mergeAdjacent(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (before?.role === message.role) before.text += `\n\n${message.text}`;
    else merged.push({ ...message });
  }
  return merged;
}
