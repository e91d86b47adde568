/** The values of a turn that a coach repeats. */
import { describe, expect, it } from 'vitest';
import { isOnlyValue } from './slots.ts';
import { fillSlots } from './fill-slots.ts';

describe('value in a coach line', () => {
  it.each([
    ['Friday.', 'Friday works.'],
    ['I can promise you Thursday morning.', 'Thursday morning works.'],
    ['The twenty-fifth of May.', 'The twenty-fifth of May works.'],
    ['lets say thirty first march', 'The thirty-first of March works.'],
    ['The twenty-first is good.', 'The twenty-first works.'],
    ['The tenth fits us.', 'The tenth works.'],
    ['It will be ready on the first of March', 'The first of March works.'],
    ['on May 25th', 'May 25th works.'],
    ['on May twenty-fifth', 'May twenty-fifth works.'],
    ['By next week, no problem.', 'Next week works.'],
    ['Tuesday, because Monday is a holiday.', 'Tuesday works.'],
    ['tuesday because monday is a holiday', 'Tuesday works.'],
    ["Friday doesn't work for me, but Monday is good.", 'Monday works.'],
    ['Not Friday, Thursday.', 'Thursday works.'],
    ['Thursday, not Friday.', 'Thursday works.'],
    ['No problem. Friday is fine.', 'Friday works.'],
    ['The ship is late, so we can deliver on Friday.', 'Friday works.'],
  ])('is the value that the learner meant: %s', (said, line) => {
    expect(fillSlots('{date|That} works.', said)).toBe(line);
  });

  it.each([
    "Friday doesn't work for me.",
    "I can't do it on Friday.",
    'friday is too early',
    'On Friday? No, that is impossible.',
    'Monday or Tuesday.',
    'Friday of next week',
    'day after tomorrow',
    'After Friday.',
    'Any day but Monday',
    'every day except Friday',
    'In two weeks.',
    'better than Monday',
    'By Friday, so we can send it on Monday.',
    'On Friday so that they have it by Monday',
    'Sam can cover the first hour.',
    'I will stay for the first three hours.',
  ])('is left out when it may be wrong: %s', (said) => {
    expect(fillSlots('{date|That} works.', said)).toBe('That works.');
  });

  it.each([
    ['I need fifty euros.', 'fifty euros'],
    ['two hundred and fifty euros', 'two hundred and fifty euros'],
    ['A hundred and twenty pounds, please.', 'a hundred and twenty pounds'],
    ['one thousand two hundred dollars', 'one thousand two hundred dollars'],
    ['1,500 euros', 'what you need'],
    ['Fifty or sixty euros', 'what you need'],
    ['Fifty to sixty euros', 'what you need'],
    ['One hundred euros and fifty cents', 'what you need'],
    ['More than fifty euros', 'what you need'],
    ['fifty euros is not enough', 'what you need'],
  ])('is a whole sum: %s', (said, sum) => {
    expect(fillSlots("I've put down {money|what you need}.", said)).toBe(`I've put down ${sum}.`);
  });

  it('is a whole duration', () => {
    expect(fillSlots('{duration|That} is fair.', 'An hour and a half.')).toBe('That is fair.');
    expect(fillSlots('{duration|That} is fair.', 'Two to three weeks.')).toBe('That is fair.');
    expect(fillSlots('{duration|That} is fair.', 'Three weeks.')).toBe('Three weeks is fair.');
  });
});

it.each([
  ['eighteen.', true],
  ['one hundred and sixty', true],
  ['from 12 to 15 march.', true],
  ['one two three', false],
  ['eighteen cats', false],
  ['monday morning ten o clock', true],
  ['monday morning ten cats', false],
])('“%s” only names a value where an amount or a date is asked for: %s', (plain, expected) => {
  expect(isOnlyValue(plain, ['amount', 'date'])).toBe(expected);
});
