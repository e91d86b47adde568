/** Requests and offers in the form of questions. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

it.each([
  ['Give a stand-up update', 'ask', 'Can you give me access, please?', 'ask'],
  ['Ask a colleague for help', 'wish', 'Can you give me access, please?', 'ask-politely'],
  ['Open a bank account', 'counter', 'can you give me an account please', 'want'],
  ['Give feedback to a colleague', 'snag', 'come ten minutes before?', 'agree'],
])(
  'are answers where they are expected: %s, %s, %s',
  (title, node, said, objective) => expect(answerAt(title, node, said).objectives).toContain(objective),
  60_000,
);

it.each([
  ['Give a stand-up update', 'ask', 'Can you give me an example, please?'],
  ['Ask a colleague for help', 'wish', 'Could you give me a hint?'],
  ['Small talk before a meeting', 'coffee', 'Come ten minutes before?'],
  ['Give feedback to a colleague', 'snag', 'Come again?'],
  ['A phone call on a bad line', 'read-back', 'Change the time?'],
])(
  'are no answers elsewhere: %s, %s, %s',
  (title, node, said) => expect(answerAt(title, node, said)).toMatchObject({ kind: 'asks', objectives: [] }),
  60_000,
);

it('does not take an offer for a wish to hear the question again', () => {
  expect(answerAt('Small talk before a meeting', 'coffee', 'Come ten minutes before?').coach).not.toMatch(
    /say it again/,
  );
});
