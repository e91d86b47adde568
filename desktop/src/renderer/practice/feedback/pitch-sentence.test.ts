import { expect, it } from 'vitest';
import { pitchSentence } from './pitch-sentence.ts';

it.each([
  [0.05, 0, 'Your voice hardly moved. You didn’t pause.'],
  [0.51, 0, 'Your voice moved across half an octave. You didn’t pause.'],
  [0.9, 1, 'Your voice moved across an octave. You paused once.'],
  [1.5, 2, 'Your voice moved across an octave and a half. You paused twice.'],
  [2.6, 3, 'Your voice moved across two octaves. You paused 3 times.'],
])('names the nearest distance to %s octaves', (octaves, pauses, sentence) => {
  expect(pitchSentence(octaves, pauses)).toBe(sentence);
});
