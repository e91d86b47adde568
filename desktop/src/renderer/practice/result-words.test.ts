import { expect, it } from 'vitest';
import { howOftenAnswered, whyNoCorrections, whyNotMeasured } from './result-words.ts';

const answer = (hintLevel: 0 | 1, fitted = true) => ({ hintLevel, fitted });
const correction = { said: 'I have stole it', better: 'I have stolen it', why: 'The third form.' };

it('nobody who said nothing is told that it was faultless, or that the coach was away', () => {
  const said = /^You said nothing/;
  expect(whyNoCorrections({ corrections: [] }, { hasAnswered: false, isText: true })).toMatch(said);
  expect(whyNoCorrections(null, { hasAnswered: false, isText: true })).toMatch(said);
});

it('of what was said there are corrections, or none were found, or nobody looked', () => {
  const spoken = { hasAnswered: true, isText: false };
  expect(whyNoCorrections({ corrections: [correction] }, spoken)).toBeNull();
  expect(whyNoCorrections({ corrections: [] }, spoken)).toMatch(/found nothing to correct/);
  expect(whyNoCorrections({}, spoken)).toMatch(/could not be reached.*not touched/);
  // In writing, the mark for language is a part of the score.
  expect(whyNoCorrections({}, { ...spoken, isText: true })).toMatch(/No mark for your language is in your score/);
});

it('a practice without an answer was not measured for that, and for nothing else', () => {
  expect(whyNotMeasured({ isText: true, hasAnswered: false })).toEqual({ whyNot: 'Not measured: you did not answer.' });
  expect(whyNotMeasured({ isText: false, hasAnswered: false })).toEqual({
    whyNot: 'Not measured: you did not answer.',
  });
  expect(whyNotMeasured({ isText: true, hasAnswered: true }).whyNot).toMatch(/you wrote/);
  expect(whyNotMeasured({ isText: false, hasAnswered: true })).toEqual({});
});

it('answers are counted, and none are none', () => {
  expect(howOftenAnswered([], { isLive: false })).toBe('You did not answer in this practice.');
  expect(howOftenAnswered([answer(0)], { isLive: true })).toBe('You answered 1 time, without a hint.');
  expect(howOftenAnswered([answer(1), answer(0, false)], { isLive: false })).toBe(
    'You answered 2 times, 1 of them with a hint; the coach asked again 1 time.',
  );
});
