import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH_LEVELS, PRACTICE_DIFFICULTIES } from '../enumerations.ts';
import { suggestLevelChange } from './suggest-level-change.ts';

const session = (difficulty: (typeof PRACTICE_DIFFICULTIES)[number], score: number) => ({ difficulty, score });

describe('another level', () => {
  it.each([
    ['three high scores', 'intermediate', [90, 85, 92], 'intermediate', 'advanced'],
    ['three low scores', 'intermediate', [49, 30, 20], 'intermediate', 'beginner'],
    ['a score between them', 'intermediate', [90, 84, 92], 'intermediate', null],
    ['two sessions', 'intermediate', [90, 90], 'intermediate', null],
    ['high scores that were easy', 'intermediate', [90, 90, 90], 'easy', null],
    ['low scores that were hard', 'intermediate', [10, 10, 10], 'hard', null],
    ['high scores at the highest level', 'advanced', [99, 99, 99], 'hard', null],
    ['low scores at the lowest level', 'beginner', [1, 1, 1], 'easy', null],
  ] as const)('after %s: %s %o %s', (_case, level, scores, difficulty, suggested) => {
    const recent = scores.map((score) => session(difficulty, score));
    expect(suggestLevelChange(level, recent)).toBe(suggested);
  });

  it('is one step away, and depends on the last three sessions only', () => {
    const sessions = fc.array(
      fc.record({ difficulty: fc.constantFrom(...PRACTICE_DIFFICULTIES), score: fc.integer({ min: 0, max: 100 }) }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...ENGLISH_LEVELS), sessions, (level, recent) => {
        const suggested = suggestLevelChange(level, recent);
        expect(suggestLevelChange(level, recent.slice(0, 3))).toBe(suggested);
        if (suggested === null) return;
        expect(Math.abs(ENGLISH_LEVELS.indexOf(suggested) - ENGLISH_LEVELS.indexOf(level))).toBe(1);
        // The scores that led to the suggestion must not trigger the opposite one.
        const back = suggestLevelChange(suggested, recent.slice(0, 3));
        expect(back).not.toBe(level);
      }),
    );
  });
});
