import { describe, expect, it } from 'vitest';
import { stagesOf } from './review-stages.ts';

describe('a card', () => {
  it('asks for the word, its phrase and its sentence', () => {
    const sentence = 'Thank you for calling, is there anything I can do to help?';
    expect(stagesOf({ word: 'anything', sentence })).toEqual([
      { name: 'word', text: 'anything' },
      { name: 'phrase', text: 'is there anything I can' },
      { name: 'sentence', text: sentence },
    ]);
  });

  it('asks only for what there is', () => {
    expect(stagesOf({ word: 'delay', sentence: null })).toHaveLength(1);
    expect(stagesOf({ word: 'delay', sentence: 'Delay.' })).toHaveLength(1);
    expect(stagesOf({ word: 'delay', sentence: 'A delay.' }).map(({ name }) => name)).toEqual(['word', 'sentence']);
  });
});
