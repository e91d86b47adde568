import { describe, expect, it } from 'vitest';
import { onlyRulesOutDay } from './ruled-out-day.ts';

describe('a day that does not suit', () => {
  it.each([
    'Not Monday.',
    'Sorry, not on Wednesday, I work.',
    'Friday is not possible for me.',
    "I can't come on Tuesday.",
    "Thursday doesn't work.",
    "I can't on Tuesday and Wednesday",
    "i can't make it Tuesday or Wednesday",
    'Neither Tuesday nor Wednesday.',
    'Tuesday is not good and Wednesday also not',
  ])('is the whole message: %s', (said) => {
    expect(onlyRulesOutDay(said)).toBe(true);
  });

  it.each([
    'Not Monday, Tuesday.',
    'Not Monday but the day after.',
    "I can't come on Tuesday, only in the afternoon.",
    'Any day except Friday.',
    'Friday is possible.',
    'Is Friday not possible?',
    'Not before Friday.',
    "I can't on Tuesday and Wednesday, Friday is good",
    'Tuesday and not Wednesday',
  ])('is only a part of the message: %s', (said) => {
    expect(onlyRulesOutDay(said)).toBe(false);
  });
});
