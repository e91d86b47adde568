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
  it('settles rounding in the largest column', () => {
    const points = missingPoints([column('a', 50, 33), column('b', 95.5, 33), column('c', 95.5, 34)], 80.5);
    expect([...points.values()].reduce((sum, value) => sum + value, 0)).toBe(19);
    expect(points.get('b')).toBe(1);
  });
  it('have none for an unmeasured part', () => {
    expect(missingPoints([column('a', null, 0), column('b', 70, 100)], 70).get('a')).toBe(0);
  });
});
