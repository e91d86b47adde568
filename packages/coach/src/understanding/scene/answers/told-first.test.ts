/**
 * Objectives that repeat, accept or confirm something that the coach has said. The same words cannot meet them before
 * the coach has said it.
 */
import { describe, expect, it } from 'vitest';
import { answerAt, dialogueOf } from '../../../test-kit/scene-coaches.ts';

const PRICE = 'Agree on a price';
const LINE = 'A phone call on a bad line';
const DOCTOR = 'See a doctor';
const DEADLINE = 'Negotiate a deadline';

/**
 * Compiled by reading the scenes: at these nodes the coach tells or proposes something, or asks what was agreed, and
 * the objective is the reaction.
 */
const REACTIONS: readonly (readonly [title: string, objective: string, nodes: readonly string[]])[] = [
  [PRICE, 'confirm', ['confirm']],
  ['Ask for a raise', 'not-now', ['not-now']],
  ['Ask for a raise', 'next-step', ['review']],
  ['Ask a colleague for help', 'fix-a-time', ['busy', 'propose']],
  [LINE, 'check', ['message', 'time', 'read-back', 'close']],
  [LINE, 'spell', ['room-told', 'digits']],
  ['Change a booking by phone', 'cost', ['refund', 'price', 'why']],
  ['Change a booking by phone', 'confirm', ['contact']],
  ['Chase an unpaid invoice', 'agree', ['confirm']],
  ['Chase an unpaid invoice', 'when', ['promise', 'half', 'sooner']],
  ['Explain a price rise', 'understand', ['doubt', 'react']],
  ['Your first day at work', 'lunch', ['lunch', 'coffee']],
  ['Handle a complaint', 'next-step', ['more', 'next', 'again']],
  ['Check in at a hotel', 'request', ['room', 'check-out']],
  ['Make an appointment', 'when', ['offer', 'gone', 'online']],
  [DEADLINE, 'settle', ['written', 'settle']],
  ['Open a bank account', 'choose', ['account', 'decide']],
  ['Open a bank account', 'papers', ['papers', 'proof']],
  ['Rent a flat', 'condition', ['condition', 'insist']],
  ['Run a short meeting', 'decide', ['options', 'push']],
  ['Run a short meeting', 'sum-up', ['close']],
  [DOCTOR, 'advice', ['tablets', 'wait', 'refuse']],
  ['Swap a shift', 'in-return', ['choose']],
];

/** The shortest examples say no more than the value. */
const MAX_BARE_WORDS = 5;

function bareExamples(title: string, objective: string, keys: readonly string[]): string[] {
  const nodes = dialogueOf(title).nodes.filter(({ key }) => keys.includes(key));
  const intents = nodes.flatMap(({ understanding }) => understanding?.intents ?? []);
  return intents
    .filter(({ proves }) => proves.some((key) => key === objective))
    .flatMap(({ examples }) => examples)
    .filter((example) => !example.includes('?') && example.split(' ').length <= MAX_BARE_WORDS);
}

describe('an objective that reacts to something the coach has said', { timeout: 120_000 }, () => {
  it.each(REACTIONS)('is not met at the opening: %s, %s', (title, objective, keys) => {
    const examples = bareExamples(title, objective, keys);
    const { start } = dialogueOf(title);
    expect(examples.filter((said) => answerAt(title, start, said).objectives.includes(objective))).toEqual([]);
  });

  it.each([
    [PRICE, 'opening', 'Thirty chairs at two hundred each', 'confirm'],
    [PRICE, 'opening', 'thirty', 'confirm'],
    [PRICE, 'give', 'Thirty chairs at a hundred and seventy each', 'confirm'],
    [PRICE, 'small', 'thirty chairs, a hundred and eighty each', 'confirm'],
    [DOCTOR, 'medicine', 'three times a day', 'advice'],
    [LINE, 'noise', 'Fifteen', 'spell'],
    [LINE, 'noise', 'Room fifteen?', 'spell'],
    [LINE, 'time', 'Fifteen', 'spell'],
    [LINE, 'noise', 'half past four', 'check'],
    [DEADLINE, 'why', 'I will send you a plan tomorrow', 'settle'],
  ])('is not met before it was told: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).not.toContain(objective);
  });
});
