/** Goodbyes with an answer, and before the last question is answered. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

it.each([
  ['Make an appointment', 'number', '0151 234567. Thank you, goodbye.', ['number']],
  ['Ask a colleague for help', 'thanks', 'Thanks, see you later!', ['thank']],
])(
  'an answer counts beside a goodbye: %s, %s, %s',
  (title, node, said, objectives) => {
    expect(answerAt(title, node, said).objectives).toEqual(objectives);
  },
  60_000,
);

it.each([
  ['Rent a flat', 'next', 'Thank you for showing me the flat. Goodbye!'],
  ['Check in at a hotel', 'more', 'thank you good night'],
])(
  'a goodbye ends the scene at its last question: %s, %s, %s',
  (title, node, said) => {
    expect(answerAt(title, node, said)).toMatchObject({ hasEnded: true, objectives: [] });
  },
  60_000,
);

it.each([
  ['Small talk before a meeting', 'weekend', 'thank you bye'],
  ['Small talk before a meeting', 'weekend', 'It was nice talking to you, goodbye!'],
  ['See a doctor', 'rest', 'Thank you doctor, goodbye'],
])(
  'a goodbye before that is a wish to stop: %s, %s, %s',
  (title, node, said) => {
    const { reply, coach } = answerAt(title, node, said);
    expect(reply).toBeNull();
    expect(coach).not.toMatch(/shame|sorry/);
  },
  60_000,
);
