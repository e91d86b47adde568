/** Counter-offers at the seller's last price. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const TITLE = 'Agree on a price';

it.each(['What about 160?', 'Can we make it 175?', '178, and I sign today.', 'one hundred and seventy nine'])(
  'a first one brings a concession of another kind, and a second one ends the talk: %s',
  (said) => {
    expect(answerAt(TITLE, 'final', said).reply).toBe('last');
    expect(answerAt(TITLE, 'last', said).reply).toBe('bye-no');
  },
  60_000,
);

it.each([
  ['Deal!', 'confirm'],
  ['I have to ask my boss', 'bye-think'],
  ['No, thank you.', 'bye-no'],
])(
  'the last offer can be answered: %s',
  (said, next) => expect(answerAt(TITLE, 'last', said).reply).toBe(next),
  60_000,
);

it('a value counts before a reason', () => {
  const { objectives } = answerAt(TITLE, 'target', '160 because we take thirty');
  expect(objectives).toEqual(expect.arrayContaining(['figure', 'reason']));
}, 60_000);
