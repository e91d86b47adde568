import { expect, it } from 'vitest';
import { sumByModel } from './sum-by-model.ts';

it('adds up the days of each model, the most expensive first', () => {
  const day = (model: string, costMicros: number) => ({ day: '2026-11-18', model, calls: 1, costMicros });
  expect(sumByModel([day('small', 10), day('large', 500), day('small', 20)])).toEqual([
    { model: 'large', costMicros: 500 },
    { model: 'small', costMicros: 30 },
  ]);
});
