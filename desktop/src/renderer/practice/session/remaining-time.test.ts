import { describe, expect, it } from 'vitest';
import { describeCallTime, describeUrgentTime } from './remaining-time.ts';

describe('the remaining time of a plan', () => {
  it.each([
    [null, 'Speak whenever you like. You can interrupt.', false],
    [3_600, '60 minutes left for calls on your plan.', false],
    [301, '5 minutes left for calls on your plan.', false],
    [300, 'Less than five minutes left for calls on your plan.', true],
    [61, 'Less than five minutes left for calls on your plan.', true],
    [60, 'Less than a minute left for calls on your plan.', true],
    [0, 'You’ve used all your minutes for calls. Time to say goodbye.', true],
  ])('is described and marked urgent in a call at %s seconds', (leftS, text, isUrgent) => {
    expect(describeCallTime(leftS)).toEqual({ text, isUrgent });
  });

  it.each([
    [null, null],
    [301, null],
    [300, 'Less than five minutes left on your plan.'],
    [60, 'Less than a minute left on your plan.'],
  ])('is described between turns only when it is urgent, at %s seconds', (leftS, text) => {
    expect(describeUrgentTime(leftS)).toBe(text);
  });
});
