import { describe, expect, it } from 'vitest';
import { correctWords } from './corrected-words.ts';

const words = [
  { word: 'The', confidence: 0.9, alternatives: [] },
  { word: 'ship', confidence: 0.4, alternatives: ['sheep'] },
  { word: 'lift.', confidence: 0.3, alternatives: ['left'] },
];

describe('words that a learner corrected', () => {
  it('are certain, and the others stay as uncertain as they were', () => {
    expect(correctWords(words, 'The sheep lift.')).toEqual([
      words[0],
      { word: 'sheep', confidence: 1, alternatives: [] },
      words[2],
    ]);
  });

  it('are no longer known when their number changes', () => {
    expect(correctWords(words, 'The big sheep lift.')).toBeNull();
    expect(correctWords(words, '')).toBeNull();
  });
});
