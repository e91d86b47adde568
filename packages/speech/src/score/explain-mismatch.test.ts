import { expect, it } from 'vitest';
import { explainMismatch } from './explain-mismatch.ts';

it.each([
  ['a voice that was too quiet', 'too_quiet', 8, [4, 5], 'too_quiet'],
  ['the first half', 'good', 8, [4, 5, 6, 7], 'first_part'],
  ['words from all over the text', 'good', 8, [1, 4, 6], undefined],
  ['nothing', 'good', 8, [0, 1, 2, 3, 4, 5, 6, 7], undefined],
  ['all of it, but something else', 'good', 8, [], undefined],
] as const)('a reading with %s', (_what, verdict, count, omitted, cause) => {
  expect(explainMismatch(verdict, { count, omitted: new Set(omitted), fit: true })).toBe(cause);
});

it('does not take a word that only resembles the first one for the first part', () => {
  expect(explainMismatch('good', { count: 4, omitted: new Set([1, 2, 3]), fit: false })).toBeUndefined();
});
