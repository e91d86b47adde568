import { createLocalizer } from '@parley/i18n';
import { describe, expect, it } from 'vitest';
import type { RunningPlan } from '../billing/current-subscription.ts';
import { planAtDeletion, describePlanAtDeletion } from './account-deletion.ts';

const day = (at: string): Date => new Date(`${at}T12:00:00Z`);
const { t } = createLocalizer('en', {});
const ERASE_AT = day('2026-12-21');
const aRunningPlan = (change: Partial<RunningPlan>): RunningPlan => ({
  status: 'active',
  currentPeriodEnd: day('2026-12-05'),
  endsAt: null,
  endsWithAccount: false,
  isPeriodUnpaid: false,
  ...change,
});
const describePlan = (change: Partial<RunningPlan>): string | null =>
  describePlanAtDeletion(planAtDeletion(aRunningPlan(change), { eraseAt: ERASE_AT, hasAccess: true }), {
    t,
    formatDay: (at) => at.toISOString().slice(0, 10),
  });

const NOT_CHARGED = 'Your plan ends on 2026-12-05, and you won’t be charged again.';
const GOES_ON = 'If you decide to keep your account before that day, your plan continues.';

describe('the plan of an account that is being deleted', () => {
  it.each<[string, Partial<RunningPlan>, string | null]>([
    ['does not renew, and continues when the account is kept', {}, `${NOT_CHARGED} ${GOES_ON}`],
    [
      'is described in the same way after it was ended',
      { endsAt: day('2026-12-05'), endsWithAccount: true },
      `${NOT_CHARGED} ${GOES_ON}`,
    ],
    ['stays ended when the learner ended it', { endsAt: day('2026-12-05') }, NOT_CHARGED],
    ['would renew before a distant end date', { endsAt: day('2027-06-05') }, `${NOT_CHARGED} ${GOES_ON}`],
    [
      'ends with the account when it was paid for longer',
      { currentPeriodEnd: day('2027-11-05') },
      `Your plan ends on 2026-12-21, and you won’t be charged again. ${GOES_ON} You’ve paid until 2027-11-05; the remaining time isn’t refunded.`,
    ],
    [
      'may still be charged for a late payment',
      { status: 'past_due' },
      `Your plan ends on 2026-12-05 and won’t be renewed. The payment that failed may be tried again until then. ${GOES_ON}`,
    ],
    [
      'may still be charged for a new period',
      { isPeriodUnpaid: true },
      `Your plan ends on 2026-12-05 and won’t be renewed. The current period hasn’t been paid for yet, and you may still be charged for it. ${GOES_ON}`,
    ],
    [
      'is not called paid when an unpaid period outlasts the account',
      { isPeriodUnpaid: true, currentPeriodEnd: day('2027-11-05') },
      `Your plan ends on 2026-12-21 and won’t be renewed. The current period hasn’t been paid for yet, and you may still be charged for it. ${GOES_ON} That period runs until 2027-11-05; the remaining time isn’t refunded.`,
    ],
    ['is null after the plan has ended', { status: 'canceled' }, null],
    ['is null when it was never paid for', { status: 'incomplete' }, null],
  ])('%s', (_what, plan, words) => {
    expect(describePlan(plan)).toBe(words);
  });

  it('does not continue after access was revoked', () => {
    expect(planAtDeletion(aRunningPlan({}), { eraseAt: ERASE_AT, hasAccess: true })?.continuesIfKept).toBe(true);
    expect(planAtDeletion(aRunningPlan({}), { eraseAt: ERASE_AT, hasAccess: false })?.continuesIfKept).toBe(false);
  });

  it('is null without a plan', () => {
    expect(planAtDeletion(null, { eraseAt: ERASE_AT, hasAccess: true })).toBeNull();
  });
});
