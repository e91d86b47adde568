import { describe, expect, it } from 'vitest';
import { wordsHeard } from './words-heard.ts';

describe('words that were cut off', () => {
  it.each([
    [0, ''],
    [0.5, 'Good morning,'],
    [0.3, 'Good'],
    [1, 'Good morning, the room is free.'],
    [7, 'Good morning, the room is free.'],
    [-1, ''],
  ])('at %s of their sound', (share, heard) => {
    expect(wordsHeard(' Good morning, the room is free. ', share)).toBe(heard);
  });
});
