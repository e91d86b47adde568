import { describe, expect, it } from 'vitest';
import { estimateHeardText } from './estimate-heard-text.ts';

describe('estimateHeardText', () => {
  it.each([
    [0, ''],
    [0.5, 'Good morning,'],
    [0.3, 'Good'],
    [1, 'Good morning, the room is free.'],
    [7, 'Good morning, the room is free.'],
    [-1, ''],
  ])('cuts at %s of the audio', (share, heard) => {
    expect(estimateHeardText(' Good morning, the room is free. ', share)).toBe(heard);
  });
});
