import { createLocalizer } from '@parley/i18n';
import { describe, expect, it } from 'vitest';
import { formatInterval, formatMoney } from './format-money.ts';

const { t } = createLocalizer('en', {});

describe('money', () => {
  it.each([
    [1_290, 'eur', '€12.90'],
    [500, 'jpy', 'JP¥500'],
    [12_345, 'KWD', 'KWD 12.345'],
    [399_000, 'huf', 'HUF 3,990'],
    [399_050, 'huf', 'HUF 3,990.50'],
    [4_990_000, 'cop', 'COP 49,900'],
    [250_000, 'isk', 'ISK 2,500'],
    [6_000_000, 'ugx', 'UGX 60,000'],
    [-1_290, 'eur', '-€12.90'],
  ])('formats %d of %s as %s', (minor, currency, shown) => {
    // A runtime may write a whole amount with or without zeros after the decimal point.
    expect(formatMoney(minor, currency).replaceAll('\u00a0', ' ').replace(/\.00$/, '')).toBe(shown);
  });

  it('formats money as the reader expects', () => {
    expect(formatMoney(1_290, 'eur', 'de').replaceAll('\u00a0', ' ')).toBe('12,90 €');
  });

  it.each([
    ['a month', { interval: 'month', intervalCount: 1 }],
    ['every 2 years', { interval: 'year', intervalCount: 2 }],
  ] as const)('formats the interval %s', (shown, every) => {
    expect(formatInterval(every, t)).toBe(shown);
  });
});

it.each([
  ['usd', 'US$'],
  ['gbp', 'UK£'],
])('keeps the sign of %s behind its letters in Arabic', (currency, sign) => {
  expect(formatMoney(1_200, currency, 'ar')).toContain(`${sign}\u200E`);
  expect(formatMoney(1_200, currency)).not.toContain('\u200E');
});
