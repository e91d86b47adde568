import { describe, expect, it } from 'vitest';
import { replaceWord } from './replace-word.ts';

const words = ['The', 'ship', '“lift”.'].map((word) => ({ word, confidence: 0.5, alternatives: [] }));

describe('replacing a word', () => {
  it.each([
    [0, 'a', 'A ship “lift”.'],
    [1, 'sheep', 'The sheep “lift”.'],
    [2, 'left', 'The ship “left”.'],
    [2, '“lift”.', 'The ship “lift”.'],
  ])('at %i with %s keeps capitals and punctuation', (index, word, text) => {
    expect(replaceWord(words, index, word)).toBe(text);
  });
});
