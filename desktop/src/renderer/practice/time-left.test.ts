import { describe, expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

describe('what is left of a plan', () => {
  it.each([
    [null, 'Speak when you like; you may interrupt.', false],
    [3_600, '60 minutes left of your plan.', false],
    [301, '5 minutes left of your plan.', false],
    [300, 'Less than five minutes left of your plan.', true],
    [61, 'Less than five minutes left of your plan.', true],
    [60, 'Less than a minute left of your plan.', true],
    [0, 'Your minutes are used up. Say goodbye.', true],
  ])('of %s seconds', (leftS, text, isUrgent) => {
    expect(timeLeft(leftS)).toEqual({ text, isUrgent });
  });
});
