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

  it.each([
    ['By Thursday', 1, 'thirsty', 'By thirsty'],
    ['so I agree', 1, 'eye', 'so eye agree'],
    ['see you thirsty', 2, 'Thursday', 'see you Thursday'],
    ['Yes. See it', 1, 'sea', 'Yes. Sea it'],
  ])('in “%s” at %i with %s keeps a capital only where a sentence begins', (text, index, word, replaced) => {
    const spoken = text.split(' ').map((each) => ({ word: each, confidence: 0.5, alternatives: [] }));
    expect(replaceWord(spoken, index, word)).toBe(replaced);
  });
});
