/** Limits a conversation to the size, and converts it to the form, that a model accepts. */
import type { Turn } from '@parley/domain';
import { sanitize, delimit, joinPrompts } from './delimit.ts';
import type { Message } from '../language-model.ts';
import { trustedText, type PromptText } from '../prompts.ts';

/** The first turns establish the topic, so they are always kept. */
const FIRST_TURNS = 4;
const MAX_TURNS = 80;
const MAX_CHARS = 16_000;
/** For a self-hosted model, whose context may be only 4,096 or 2,048 tokens, answer included. */
const SMALL_CONTEXT_CHARS = [6_000, 2_000];
const MAX_TURN_CHARS = 1_500;

export interface LimitedTurns {
  first: readonly Turn[];
  /** The number of omitted turns in between. */
  omitted: number;
  last: readonly Turn[];
}

/** Keeps the first turns and as many of the last turns as fit. The last turn is always kept. */
export function limitTurns(turns: readonly Turn[], maxChars = MAX_CHARS): LimitedTurns {
  const charsOf = (turn: Turn | undefined): number => Math.min(turn?.text.length ?? 0, MAX_TURN_CHARS);
  const first = turns.slice(0, FIRST_TURNS);
  let remainingChars = maxChars - first.reduce((chars, turn) => chars + charsOf(turn), 0);
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

/** For a model that comments on the conversation: the material and the transcript as one message, in less and less detail. */
export function toTranscriptMessages(
  material: readonly PromptText[],
  turns: readonly Turn[],
): { messages: Message[]; shorterMessages: Message[][] } {
  const withTranscript = (maxChars: number): string => joinPrompts([...material, delimitTranscript(turns, maxChars)]);
  const text = withTranscript(MAX_CHARS);
  const shorterTexts = [...new Set(SMALL_CONTEXT_CHARS.map(withTranscript))].filter((shorter) => shorter !== text);
  const toMessage = (content: string): Message[] => [{ role: 'learner', text: content }];
  return { messages: toMessage(text), shorterMessages: shorterTexts.map(toMessage) };
}

/** One text with each turn delimited separately, so that no turn can imitate another. */
function delimitTranscript(turns: readonly Turn[], maxChars: number): PromptText {
  const { first, omitted, last } = limitTurns(turns, maxChars);
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
