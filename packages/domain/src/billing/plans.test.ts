import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION_STATUSES } from '../enumerations.ts';
import {
  allowanceAtPrice,
  ALLOWANCES,
  allowanceIn,
  effectivePlan,
  gracePeriodEnd,
  meteringPeriod,
  remainingSeconds,
} from './plans.ts';

const period = (from: string, to: string, now: string): string[] => {
  const paid = { currentPeriodStart: new Date(from), currentPeriodEnd: new Date(to) };
  const { startsAt, endsAt } = meteringPeriod(paid, new Date(now));
  return [startsAt, endsAt].map((at) => at?.toISOString().slice(0, 16) ?? '');
};

const UNUSED = { liveS: 0, realisticS: 0 };

it.each([
  ['FREE', 10, 0],
  ['TRIALING', 120, 30],
  ['PLUS', 600, 60],
  ['PRO', 1_800, 600],
] as const)('%s includes %i minutes, %i of them for calls', (plan, minutes, ofCalls) => {
  expect(remainingSeconds(ALLOWANCES[plan], 'turn_based', UNUSED) / 60).toBe(minutes);
  expect(remainingSeconds(ALLOWANCES[plan], 'ultra_realistic', UNUSED) / 60).toBe(ofCalls);
});

it('calls end when either the minutes of calls or all minutes are used up', () => {
  expect(remainingSeconds(ALLOWANCES.PLUS, 'ultra_realistic', { liveS: 3_500, realisticS: 3_500 })).toBe(100);
  expect(remainingSeconds(ALLOWANCES.PLUS, 'ultra_realistic', { liveS: 35_990, realisticS: 100 })).toBe(10);
  expect(remainingSeconds(ALLOWANCES.PLUS, 'turn_based', { liveS: 40_000, realisticS: 0 })).toBe(0);
});

it('only a plan that is running, or whose payment has just failed, is in effect', () => {
  const now = new Date('2027-01-01');
  const state = { planType: 'PLUS', pastDueSince: now, paidPlan: null, paidUntil: null } as const;
  const plans = SUBSCRIPTION_STATUSES.map((status) => [status, effectivePlan({ ...state, status }, now)]);
  expect(plans.filter(([, plan]) => plan !== 'FREE')).toEqual([
    ['trialing', 'TRIALING'],
    ['active', 'PLUS'],
    ['past_due', 'PLUS'],
  ]);
  expect(effectivePlan(null, now)).toBe('FREE');
});

describe('meteringPeriod', () => {
  it('is the paid period when that is a month or a week', () => {
    // Billed on the 31st: this month is shorter and ends when the provider says.
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
    // After the end of the period, before the provider has reported the next one.
    ['2028-01-31T10:30Z', '2028-01-31T10:00', '2028-01-31T10:00'],
  ])('is one month of a yearly plan: at %s', (now, from, to) => {
    expect(period('2027-01-31T10:00Z', '2028-01-31T10:00Z', now)).toEqual([from, to]);
  });

  it('is null when nothing was ever paid', () => {
    const nothing = { currentPeriodStart: null, currentPeriodEnd: null };
    expect(meteringPeriod(nothing, new Date('2027-01-01'))).toEqual({ startsAt: null, endsAt: null });
  });
});

describe('allowanceIn', () => {
  const minutes = (plan: 'PLUS' | 'TRIALING', from: string, to: string): number[] => {
    const { liveS, realisticS } = allowanceIn(plan, { startsAt: new Date(from), endsAt: new Date(to) });
    return [liveS / 60, realisticS / 60];
  };

  it.each([
    ['a day', '2027-03-02', [20, 2]],
    ['a week', '2027-03-08', [140, 14]],
    ['two weeks', '2027-03-15', [280, 28]],
    ['four weeks', '2027-03-29', [600, 60]],
    ['a month', '2027-04-01', [600, 60]],
  ])('is the share that %s has of a month', (_what, end, expected) => {
    expect(minutes('PLUS', '2027-03-01', end)).toEqual(expected);
  });

  it('is a share for the last days of a period that is no whole number of months', () => {
    const paid = { currentPeriodStart: new Date('2027-03-01'), currentPeriodEnd: new Date('2027-04-11') };
    const of = (now: string): number => allowanceIn('PLUS', meteringPeriod(paid, new Date(now))).liveS / 60;
    expect(['2027-03-20', '2027-04-05'].map(of)).toEqual([600, 200]);
  });

  it('is that of the whole trial, and of a month whose length is not known yet', () => {
    expect(minutes('TRIALING', '2027-03-01', '2027-03-08')).toEqual([120, 30]);
    expect(minutes('PLUS', '2027-03-01', '2027-03-01')).toEqual([600, 60]);
    expect(allowanceIn('PLUS', { startsAt: null, endsAt: null })).toBe(ALLOWANCES.PLUS);
  });
});

describe('the allowance at a price', () => {
  it.each([
    ['day', 1, [20, 2, 'day', 1]],
    ['week', 1, [140, 14, 'week', 1]],
    ['week', 2, [280, 28, 'week', 2]],
    ['week', 4, [600, 60, 'month', 1]],
    ['month', 1, [600, 60, 'month', 1]],
    ['month', 3, [600, 60, 'month', 1]],
    ['year', 1, [600, 60, 'month', 1]],
  ] as const)('is granted for one or more of the interval %s: %i', (interval, intervalCount, expected) => {
    const granted = allowanceAtPrice('PLUS', { interval, intervalCount });
    expect([granted.liveS / 60, granted.realisticS / 60, granted.interval, granted.intervalCount]).toEqual(expected);
  });

  it('is granted each day on the free plan', () => {
    expect(allowanceAtPrice('FREE', null)).toEqual({ liveS: 600, realisticS: 0, interval: 'day', intervalCount: 1 });
  });
});

it('a plan whose payment is late continues when it is not known since when', () => {
  const now = new Date('2027-01-01');
  const late = { planType: 'PLUS', status: 'past_due', pastDueSince: null, paidPlan: null, paidUntil: null } as const;
  expect(effectivePlan(late, now)).toBe('PLUS');
  expect(gracePeriodEnd(late, now)).toEqual(new Date('2027-01-08'));
});
