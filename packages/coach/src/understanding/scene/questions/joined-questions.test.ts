/** Questions that follow an answer in the same sentence, and reactions before a line that answers one. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

it('keeps an answer that a question is joined to, and answers the question', () => {
  const { objectives, coach } = answerAt('Rent a flat', 'when', 'in june, but can I bring my cat?');
  expect(objectives).toContain('when');
  expect(coach).toContain('A cat is fine');
}, 60_000);

it('asks again if the joined question is about a word', () => {
  expect(answerAt('Rent a flat', 'price', "That's okay, but what does deposit mean?").reply).toBeNull();
}, 60_000);

it('does not leave a question open that its next line answers', () => {
  const said = 'How much I must pay every month with water and electric?';
  const { reply, coach } = answerAt('Rent a flat', 'questions', said);
  expect(reply).toBe('price');
  expect(coach).not.toMatch(/look that up|can't tell you/);
}, 60_000);

it.each(["i can't on Tuesday and Wednesday", 'Neither Tuesday nor Wednesday'])(
  'asks for another day if all that are named are ruled out: %s',
  (said) => expect(answerAt('Make an appointment', 'day', said).reply).toBeNull(),
  60_000,
);

it('does not offer the day that is ruled out', () => {
  expect(answerAt('Make an appointment', 'day', 'any day but Monday').coach).not.toContain('Monday should');
}, 60_000);
