import { expect, it } from 'vitest';
import { callQuotaSentence } from './quota-exhausted-banner.tsx';

it.each([
  [540 * 60, 'Your minutes for calls are used up. You can still take turns.'],
  [0, 'Your live minutes are used up. You can still write with a coach: that uses no minutes.'],
])('a call without minutes offers what is left with %i live seconds', (liveLeftS, sentence) => {
  expect(callQuotaSentence(liveLeftS)).toBe(sentence);
});
