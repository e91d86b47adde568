import { describe, expect, it } from 'vitest';
import { minutesPeriodOf } from './plans.ts';

const period = (from: string, to: string, now: string): string[] => {
  const paid = { currentPeriodStart: new Date(from), currentPeriodEnd: new Date(to) };
  const { startsAt, endsAt } = minutesPeriodOf(paid, new Date(now));
  return [startsAt, endsAt].map((at) => at?.toISOString().slice(0, 16) ?? '');
};

describe('the period of a plan’s minutes', () => {
  it('is what is paid for, where that is a month or a week', () => {
    // Billed on the 31st: this month is shorter, and ends when the provider says.
    expect(period('2027-02-28T10:00Z', '2027-03-31T10:00Z', '2027-03-29T10:00Z')).toEqual([
      '2027-02-28T10:00',
      '2027-03-31T10:00',
    ]);
    expect(period('2027-02-01T10:00Z', '2027-02-08T10:00Z', '2027-02-05T10:00Z')).toEqual([
      '2027-02-01T10:00',
      '2027-02-08T10:00',
    ]);
  });

  it.each([
    ['2027-01-31T10:00Z', '2027-01-31T10:00', '2027-02-28T10:00'],
    ['2027-02-28T09:59Z', '2027-01-31T10:00', '2027-02-28T10:00'],
    ['2027-02-28T10:00Z', '2027-02-28T10:00', '2027-03-31T10:00'],
    ['2027-12-31T09:59Z', '2027-11-30T10:00', '2027-12-31T10:00'],
    ['2028-01-15T00:00Z', '2027-12-31T10:00', '2028-01-31T10:00'],
    // Past its end, until the provider has told of the next.
    ['2028-01-31T10:30Z', '2028-01-31T10:00', '2028-01-31T10:00'],
  ])('is a month of a year that is paid for: at %s', (now, from, to) => {
    expect(period('2027-01-31T10:00Z', '2028-01-31T10:00Z', now)).toEqual([from, to]);
  });

  it('is none where nothing was ever paid', () => {
    const nothing = { currentPeriodStart: null, currentPeriodEnd: null };
    expect(minutesPeriodOf(nothing, new Date('2027-01-01'))).toEqual({ startsAt: null, endsAt: null });
  });
});
