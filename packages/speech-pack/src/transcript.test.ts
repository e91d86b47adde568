import { describe, expect, it } from 'vitest';
import { type TokenText, wordsOf } from './transcript.ts';

const PIECES = ['', ' The', ' ship', ' could', ' n', "'t", ' leave', '.', ' sheep', ' chip', 'ped'];
const WORDS = new Set(['the', 'ship', 'sheep', 'chip', 'could', 'leave']);
const text: TokenText = {
  decode: (tokens) =>
    tokens
      .map((token) => PIECES[token] ?? '')
      .join('')
      .trimStart(),
  isWord: (word) => WORDS.has(word),
};
const step = (token: number, probability: number, ...others: [token: number, probability: number][]) => ({
  token,
  probability,
  others: others.map(([other, likely]) => ({ token: other, probability: likely })),
});

describe('the words of a transcript', () => {
  it('have the probability of all their tokens, and keep their punctuation', () => {
    expect(wordsOf([step(1, 0.9), step(2, 0.8), step(7, 0.5), step(0, 1)], text)).toEqual({
      text: 'The ship.',
      words: [
        { word: 'The', confidence: 0.9, alternatives: [] },
        { word: 'ship.', confidence: 0.4, alternatives: [] },
      ],
    });
  });

  it('come with other words, but not with parts, unlikely ones or the word', () => {
    const { words } = wordsOf([step(1, 0.9), step(2, 0.6, [8, 0.2], [10, 0.1], [4, 0.05], [9, 0.01], [2, 0.04])], text);
    expect(words[1]?.alternatives).toEqual(['sheep']);
  });

  it('are none when nothing was said', () => {
    expect(wordsOf([step(0, 1)], text)).toEqual({ text: '', words: [] });
  });
});
