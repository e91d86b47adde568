import { describe, expect, it } from 'vitest';
import { describeRemainingTime } from './remaining-time.ts';

describe('the remaining time of a plan', () => {
  it.each([
    [null, 'Speak whenever you like. You can interrupt.', false],
    [3_600, '60 minutes left on your plan.', false],
    [301, '5 minutes left on your plan.', false],
    [300, 'Less than five minutes left on your plan.', true],
    [61, 'Less than five minutes left on your plan.', true],
    [60, 'Less than a minute left on your plan.', true],
    [0, 'You’ve used all your minutes. Time to say goodbye.', true],
  ])('is described and marked urgent at %s seconds', (leftS, text, isUrgent) => {
    expect(describeRemainingTime(leftS)).toEqual({ text, isUrgent });
  });
});
