import { describe, expect, it } from 'vitest';
import { everyOf, moneyOf } from './money.ts';

describe('an amount', () => {
  it.each([
    [1_290, 'eur', '€12.90'],
    [500, 'jpy', 'JP¥500'],
    [12_345, 'KWD', 'KWD 12.345'],
  ])('%d of %s is %s', (minor, currency, shown) => {
    expect(moneyOf(minor, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  it.each([
    ['a month', { interval: 'month', intervalCount: 1 }],
    ['every 2 years', { interval: 'year', intervalCount: 2 }],
  ] as const)('is paid %s', (shown, every) => {
    expect(everyOf(every)).toBe(shown);
  });
});
