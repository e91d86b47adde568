import { describe, expect, it } from 'vitest';
import { isPractisedDay, streakDays } from './practised-days.ts';

it('counts a day with a finished practice or ten reviewed words', () => {
  expect(isPractisedDay({ hasFinishedPractice: true, reviews: 0 })).toBe(true);
  expect(isPractisedDay({ hasFinishedPractice: false, reviews: 9 })).toBe(false);
  expect(isPractisedDay({ hasFinishedPractice: false, reviews: 10 })).toBe(true);
});

describe('a streak', () => {
  // 16 November is a Monday and 20 November a Friday.
  it('allows two rest days in each week, and an unfinished today', () => {
    const streak = (days: string[]) => streakDays(new Set(days.map((day) => `2026-11-${day}`)), '2026-11-20');
    expect(streak([])).toBe(0);
    expect(streak(['20', '19', '18'])).toBe(3);
    expect(streak(['19', '18'])).toBe(2);
    expect(streak(['20', '18', '16'])).toBe(3);
    expect(streak(['20', '16', '15'])).toBe(1);
    expect(streak(['20', '18', '16', '15', '13', '11', '10', '09', '05'])).toBe(8);
  });
});
