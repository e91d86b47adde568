import { expect, it } from 'vitest';
import { createComparer, type Features, readBaseFeatures, similarities } from './features.ts';

const read = (texts: readonly string[]): Features[] => texts.map(readBaseFeatures);

it('remembered similarities are those of the texts in question', () => {
  const compare = createComparer();
  const [price, tuesday, refund] = read(['What does it cost?', 'Tuesday at nine.', 'I would like my money back.']);
  const [said, other] = read(['How much is it?', 'Can I have a refund?']);
  if (!price || !tuesday || !refund || !said || !other) throw new Error('a text is missing');
  for (const others of [[price, tuesday], [tuesday, refund, price], []])
    for (const text of [said, other]) expect(compare(text, others)).toEqual(similarities(text, others));
  for (const text of read(Array.from({ length: 100 }, (_, index) => `I have ${index} of them`)))
    expect(compare(text, [price, refund])).toEqual(similarities(text, [price, refund]));
  expect(compare(said, [refund])).toEqual(similarities(said, [refund]));
});
