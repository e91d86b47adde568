import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sentencesOf, sentenceWith } from './sentence-with.ts';

const TEXT = 'A single delay? We plan in weeks. In the end it works.';

it('finds the sentence with the word, and not one with a longer word', () => {
  expect(sentenceWith('plan', TEXT)).toBe('We plan in weeks.');
  expect(sentenceWith('in', 'A single delay. We plan in weeks.')).toBe('We plan in weeks.');
  expect(sentenceWith('nowhere', 'One. Two.')).toBe('One. Two.');
});

it('finds a part of a hyphenated word, and a phrase', () => {
  const text = 'A delay. She is well-known here. They make up for it.';
  expect(sentenceWith('known', text)).toBe('She is well-known here.');
  expect(sentenceWith('well-known', text)).toBe('She is well-known here.');
  expect(sentenceWith('make up', text)).toBe('They make up for it.');
});

it('never ends with half of a character', () => {
  for (const text of [`plan ${'x'.repeat(294)}😀`, `plan ${'😀'.repeat(200)}`])
    expect(sentenceWith('plan', text).isWellFormed()).toBe(true);
});

it('splits a text into sentences of a bounded length and loses no word', () => {
  expect(sentencesOf(TEXT, 600)).toEqual(['A single delay?', 'We plan in weeks.', 'In the end it works.']);
  const words = fc.array(fc.constantFrom('we', 'deliver', 'on', 'Tuesday.', 'really?', 'No!'), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 40 }), (said, limit) => {
      const sentences = sentencesOf(said.join(' '), limit);
      expect(sentences.every((sentence) => sentence.length <= limit)).toBe(true);
      expect(sentences.join(' ').split(' ')).toEqual(said);
    }),
  );
});
