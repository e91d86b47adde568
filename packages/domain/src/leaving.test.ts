import { describe, expect, it } from 'vitest';
import type { RunningPlan } from './billing.ts';
import { planAtLeaving, sayPlanAtLeaving } from './leaving.ts';

const day = (at: string): Date => new Date(`${at}T12:00:00Z`);
const ERASE_AT = day('2026-12-21');
const aPlan = (change: Partial<RunningPlan>): RunningPlan => ({
  status: 'active',
  currentPeriodEnd: day('2026-12-05'),
  endsAt: null,
  endsWithAccount: false,
  isPeriodUnpaid: false,
  ...change,
});
const said = (change: Partial<RunningPlan>): string | null =>
  sayPlanAtLeaving(planAtLeaving(aPlan(change), { eraseAt: ERASE_AT, hasAccess: true }), (at) =>
    at.toISOString().slice(0, 10),
  );

const NOT_CHARGED = 'Your plan ends on 2026-12-05, and you are not charged again.';
const GOES_ON = 'If you decide before that day to keep your account, your plan goes on.';

describe('the plan of an account that is to be erased', () => {
  it.each<[string, Partial<RunningPlan>, string | null]>([
    ['is not renewed, and goes on when the account is kept', {}, `${NOT_CHARGED} ${GOES_ON}`],
    [
      'says the same once it was ended',
      { endsAt: day('2026-12-05'), endsWithAccount: true },
      `${NOT_CHARGED} ${GOES_ON}`,
    ],
    ['stays ended where the learner ended it', { endsAt: day('2026-12-05') }, NOT_CHARGED],
    ['would be renewed before an end that is far off', { endsAt: day('2027-06-05') }, `${NOT_CHARGED} ${GOES_ON}`],
    [
      'ends with the account where it was paid for longer',
      { currentPeriodEnd: day('2027-11-05') },
      `Your plan ends on 2026-12-21, and you are not charged again. ${GOES_ON} It is paid until 2027-11-05; the rest is not paid back.`,
    ],
    [
      'may be charged for what is late',
      { status: 'past_due' },
      `Your plan ends on 2026-12-05 and is not renewed. The payment that did not go through may be tried again until then. ${GOES_ON}`,
    ],
    [
      'may be charged for a period that has just begun',
      { isPeriodUnpaid: true },
      `Your plan ends on 2026-12-05 and is not renewed. The period that has begun is not paid yet, and may still be charged. ${GOES_ON}`,
    ],
    [
      'is not called paid where that period outlasts the account',
      { isPeriodUnpaid: true, currentPeriodEnd: day('2027-11-05') },
      `Your plan ends on 2026-12-21 and is not renewed. The period that has begun is not paid yet, and may still be charged. ${GOES_ON} That period lasts until 2027-11-05; the rest is not paid back.`,
    ],
    ['is none where it is over', { status: 'canceled' }, null],
    ['is none where it was never paid for', { status: 'incomplete' }, null],
  ])('%s', (_what, plan, words) => {
    expect(said(plan)).toBe(words);
  });

  it('does not go on for whom access was taken from, though the provider has not been told yet', () => {
    expect(planAtLeaving(aPlan({}), { eraseAt: ERASE_AT, hasAccess: true })?.goesOnIfKept).toBe(true);
    expect(planAtLeaving(aPlan({}), { eraseAt: ERASE_AT, hasAccess: false })?.goesOnIfKept).toBe(false);
  });

  it('is none where there was none', () => {
    expect(planAtLeaving(null, { eraseAt: ERASE_AT, hasAccess: true })).toBeNull();
  });
});
