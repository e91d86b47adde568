import { describe, expect, it } from 'vitest';
import { scoreTrend } from './score-trend.ts';

const sessionsWith = (scores: readonly (number | null)[]) =>
  scores.map((score, index) => ({ sessionId: `s${index}`, at: new Date(index * 1_000), score }));

const trend = (scores: readonly (number | null)[], maxPoints = 60) => scoreTrend(sessionsWith(scores), { maxPoints });

describe('a trend', () => {
  it('has a point for each measured session, with the mean of the last five', () => {
    const { points, measured } = trend([50, null, 60, 70, 80, 90, 100]);
    expect(points.map(({ sessionId, score, mean }) => [sessionId, score, mean])).toEqual([
      ['s0', 50, 50],
      ['s2', 60, 55],
      ['s3', 70, 60],
      ['s4', 80, 65],
      ['s5', 90, 70],
      ['s6', 100, 80],
    ]);
    expect(measured).toBe(6);
  });

  it('compares the first five with the latest five only when all differ', () => {
    expect(trend(Array.from({ length: 9 }, () => 50))).toMatchObject({ latest: 50, began: null });
    expect(trend([...Array.from({ length: 5 }, () => 50), ...Array.from({ length: 5 }, () => 80)])).toMatchObject({
      latest: 80,
      began: 50,
    });
  });

  it('keeps real sessions when there are too many points, the newest among them', () => {
    const scores = Array.from({ length: 5_000 }, (_, index) => index % 100);
    const { points, measured } = trend(scores, 60);
    expect(measured).toBe(5_000);
    expect(points).toHaveLength(60);
    expect(points.at(-1)?.sessionId).toBe('s4999');
    expect(points.every(({ sessionId, score }) => scores[Number(sessionId.slice(1))] === score)).toBe(true);
    expect(new Set(points.map(({ sessionId }) => sessionId)).size).toBe(60);
  });

  it('shows the points of a range, and compares all sessions', () => {
    const scores = [...Array.from({ length: 5 }, () => 50), ...Array.from({ length: 5 }, () => 80)];
    const isShown = ({ sessionId }: { sessionId: string }): boolean => sessionId >= 's8';
    expect(scoreTrend(sessionsWith(scores), { maxPoints: 60, isShown })).toEqual({
      points: [
        { sessionId: 's8', at: new Date(8_000), score: 80, mean: 74 },
        { sessionId: 's9', at: new Date(9_000), score: 80, mean: 80 },
      ],
      inRange: 2,
      measured: 10,
      latest: 80,
      began: 50,
    });
  });

  it('is not measured without a score', () => {
    expect(trend([null, null])).toEqual({ points: [], inRange: 0, measured: 0, latest: null, began: null });
  });
});
