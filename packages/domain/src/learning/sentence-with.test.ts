import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sentencesOf, sentencesWith, sentenceWith } from './sentence-with.ts';

const TEXT = 'A single delay? We plan in weeks. In the end it works.';

it('finds the sentence with the word, and not one with a longer word', () => {
  expect(sentenceWith('plan', TEXT)).toBe('We plan in weeks.');
  expect(sentenceWith('in', 'A single delay. We plan in weeks.')).toBe('We plan in weeks.');
  expect(sentenceWith('nowhere', 'One. Two.')).toBe('One. Two.');
});

it('finds every sentence with the word, in order', () => {
  expect(sentencesWith('think', 'I think so. Well. I think it’s late.')).toEqual(['I think so.', 'I think it’s late.']);
  expect(sentencesWith('nowhere', 'One. Two.')).toEqual([]);
});

it('finds a part of a hyphenated word, and a phrase', () => {
  const text = 'A delay. She is well-known here. They make up for it.';
  expect(sentenceWith('known', text)).toBe('She is well-known here.');
  expect(sentenceWith('well-known', text)).toBe('She is well-known here.');
  expect(sentenceWith('make up', text)).toBe('They make up for it.');
});

it('keeps abbreviations, initials and numbers within their sentence', () => {
  const letter =
    'Dear Mr. Smith, our Q3 revenue grew by 3.5 percent to $4.2 million. Please call me at 9 a.m. on Monday, e.g. about item No. 7. ' +
    'no. we wait for J. Brown of Acme Inc. in St. Gallen. So do I. “Is that fine?” Yes.';
  expect(sentencesOf(letter, 600)).toEqual([
    'Dear Mr. Smith, our Q3 revenue grew by 3.5 percent to $4.2 million.',
    'Please call me at 9 a.m. on Monday, e.g. about item No. 7.',
    'no.',
    'we wait for J. Brown of Acme Inc. in St. Gallen.',
    'So do I.',
    '“Is that fine?”',
    'Yes.',
  ]);
  expect(sentenceWith('percent', 'We met. Sales grew by 3.5 percent last year. Good.')).toBe(
    'Sales grew by 3.5 percent last year.',
  );
});

it('never cuts within a character', () => {
  const family = '👨‍👩‍👧';
  for (const text of [`plan ${'x'.repeat(294)}😀`, `plan ${'😀'.repeat(200)}`, `plan ${'x'.repeat(290)}${family}`]) {
    const sentence = sentenceWith('plan', text);
    expect(sentence.isWellFormed()).toBe(true);
    expect(sentence).not.toMatch(/[\uFFFD\u200D]$|👨$/u);
  }
  const withoutSpaces = fc.array(fc.constantFrom('a', '😀', family, 'e\u0301'), { minLength: 1, maxLength: 60 });
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(withoutSpaces, fc.integer({ min: 8, max: 20 }), (characters, limit) => {
      const parts = sentencesOf(`a${characters.join('')}`, limit);
      expect(parts.join('')).toBe(`a${characters.join('')}`);
      expect(parts.every((part) => part.length <= limit)).toBe(true);
      const shown = parts.flatMap((part) => [...graphemes.segment(part)].map(({ segment }) => segment));
      expect(shown).toEqual(['a', ...characters]);
    }),
  );
  const marked = `e${'\u0301'.repeat(30)}`;
  expect(sentencesOf(marked, 8).join('')).toBe(marked);
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
