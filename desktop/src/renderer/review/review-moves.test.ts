import { describe, expect, it } from 'vitest';
import { moveOfKey, putOff } from './review-moves.ts';

describe('a key in a review', () => {
  it.each(['Enter', 'ArrowRight'])('%s leads to the next stage before a grade is taken', (key) => {
    expect(moveOfKey(key, { hasNextStage: true, suggestion: 'good' })).toEqual({ to: 'next_stage' });
    expect(moveOfKey(key, { hasNextStage: true, suggestion: null })).toEqual({ to: 'next_stage' });
  });

  it('takes the suggestion in the last stage with Enter only', () => {
    expect(moveOfKey('Enter', { hasNextStage: false, suggestion: 'good' })).toEqual({ to: 'grade', grade: 'good' });
    expect(moveOfKey('ArrowRight', { hasNextStage: false, suggestion: 'good' })).toBeNull();
    expect(moveOfKey('Enter', { hasNextStage: false, suggestion: null })).toBeNull();
  });

  it.each([true, false])('grades from 1 to 4 as soon as there is a score (a next stage: %s)', (hasNextStage) => {
    expect(moveOfKey('1', { hasNextStage, suggestion: 'good' })).toEqual({ to: 'grade', grade: 'again' });
    expect(moveOfKey('4', { hasNextStage, suggestion: 'good' })).toEqual({ to: 'grade', grade: 'easy' });
    expect(moveOfKey('4', { hasNextStage, suggestion: null })).toBeNull();
    expect(moveOfKey('5', { hasNextStage, suggestion: 'good' })).toBeNull();
  });
});

describe('a postponed card', () => {
  it('comes after the others, and leaves the review when it is the last one', () => {
    expect(putOff(['a', 'b', 'c'], 0)).toEqual(['b', 'c', 'a']);
    expect(putOff(['done', 'b', 'c'], 1)).toEqual(['done', 'c', 'b']);
    expect(putOff(['done', 'b'], 1)).toEqual(['done']);
  });
});
