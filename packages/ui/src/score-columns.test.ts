import { describe, expect, it } from 'vitest';
import { missingPoints, type ScoreColumn } from './score-columns.ts';

const column = (id: string, score: number | null, weight: number): ScoreColumn => ({ id, name: id, score, weight });

describe('missing points', () => {
  it('add up to the points missing from the total, as in the design: 86 of 100', () => {
    const points = missingPoints(
      [
        column('sounds', 68, 28),
        column('melody', 79, 14),
        column('flow', 84, 14),
        column('said', 100, 14),
        column('done', 100, 30),
      ],
      85.9,
    );
    expect(Object.fromEntries(points)).toEqual({ sounds: 9, melody: 3, flow: 2, said: 0, done: 0 });
  });
  it('gives the remaining points to the columns with the largest fractions', () => {
    const points = missingPoints([column('a', 50, 33), column('b', 95.5, 33), column('c', 95.5, 34)], 80.5);
    expect(Object.fromEntries(points)).toEqual({ a: 16, b: 1, c: 2 });
  });
  it('add up when each column lost about half a point', () => {
    const parts = [column('sounds', 98, 28), column('melody', 96, 14), column('flow', 96, 14), column('said', 96, 14)];
    const points = missingPoints([...parts, column('done', 100, 30)], 97.8);
    expect(Object.fromEntries(points)).toEqual({ sounds: 1, melody: 1, flow: 0, said: 0, done: 0 });
  });
  it('settles the points of other scores in the largest column', () => {
    const points = missingPoints([column('a', 80, 50), column('b', 100, 50)], 70);
    expect(Object.fromEntries(points)).toEqual({ a: 30, b: 0 });
  });
  it('have none for an unmeasured part', () => {
    expect(missingPoints([column('a', null, 0), column('b', 70, 100)], 70).get('a')).toBe(0);
  });
});
