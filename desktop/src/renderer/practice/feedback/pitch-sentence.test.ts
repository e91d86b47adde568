import { expect, it } from 'vitest';
import { pitchSentence } from './pitch-sentence.ts';

it.each([
  [0.05, 0, 'Your voice hardly moved, without a pause.'],
  [0.51, 0, 'Your voice moved across half an octave, without a pause.'],
  [0.9, 1, 'Your voice moved across an octave, with 1 pause.'],
  [2.6, 3, 'Your voice moved across two octaves, with 3 pauses.'],
])('names the nearest distance to %s octaves', (octaves, pauses, sentence) => {
  expect(pitchSentence(octaves, pauses)).toBe(sentence);
});
