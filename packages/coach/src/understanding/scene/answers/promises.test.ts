/** Promises to come back to something, at steps that ask for a date. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

it.each([
  ['Rent a flat', 'when', "I'll call you on Thursday"],
  ['Rent a flat', 'when', 'I will let you know by Friday'],
  ['Make an appointment', 'day', "I'll call you on Monday"],
  ['Swap a shift', 'other', "I'll tell you on Monday"],
])(
  'a day on which the learner will call is no answer, and is not repeated: %s, %s, %s',
  (title, node, said) => {
    const { objectives, coach } = answerAt(title, node, said);
    expect(objectives).not.toContain('when');
    expect(coach).not.toMatch(/\b\w+day (?:works|should be possible)/);
  },
  60_000,
);

it.each([
  ['Rent a flat', 'when', "I'd like to move in on Thursday, I'll call you before", 'when'],
  ['Rent a flat', 'next', "I'll call you on Thursday", 'next'],
  ['Handle a complaint', 'next', "I'll call you tomorrow", 'next-step'],
])(
  'such a promise still counts beside an answer, or where it is one: %s, %s, %s',
  (title, node, said, objective) => expect(answerAt(title, node, said).objectives).toContain(objective),
  60_000,
);
