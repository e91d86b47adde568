import { createLocalizer } from '@parley/i18n';
import { describe, expect, it } from 'vitest';
import type { AccountView } from './account.ts';
import { describePlan } from './plan-description.ts';
import { isPaying } from './plan-of-account.ts';

type Subscription = NonNullable<AccountView['subscription']>;

const day = (at: string): string => `${at}T12:00:00.000Z`;
const anAccount = (change: Partial<AccountView>, subscription?: Partial<Subscription>): AccountView => ({
  email: 'ada@example.com',
  mustBeGranted: false,
  hasAccess: true,
  accessTaken: null,
  waitingSince: null,
  isAdmin: false,
  plan: 'PRO',
  live: null,
  calls: null,
  resetsAt: null,
  mayTry: false,
  eraseAt: null,
  ...change,
  subscription:
    subscription === undefined
      ? null
      : {
          status: 'active',
          priceId: null,
          currentPeriodEnd: day('2026-12-05'),
          endsAt: null,
          endsWithAccount: false,
          isPeriodUnpaid: false,
          next: null,
          graceUntil: null,
          ...subscription,
        },
});
const { t } = createLocalizer('en', {});
const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const describePlanFor = (subscription?: Partial<Subscription>, change: Partial<AccountView> = {}) =>
  describePlan(anAccount(change, subscription), { t, formatDay: dayOf });

describe('describePlan', () => {
  it.each<[string, Partial<Subscription>, string]>([
    ['describes a running plan', {}, 'It renews on 5 December 2026.'],
    ['describes a cancelled plan', { endsAt: day('2026-12-05') }, 'It ends on 5 December 2026 and won’t be renewed.'],
    [
      'describes a plan that renews before it ends',
      { endsAt: day('2027-02-05') },
      'It renews on 5 December 2026 and ends on 5 February 2027.',
    ],
    [
      'describes a pending downgrade',
      { next: { plan: 'PLUS', interval: 'year', at: day('2026-12-05') } },
      'On 5 December 2026 it changes to Plus, billed yearly. Until then you keep what you have.',
    ],
    [
      'describes a trial that ends',
      { status: 'trialing', endsAt: day('2026-12-05') },
      'It ends on 5 December 2026. You won’t be charged automatically.',
    ],
    [
      'describes a trial that its learner chose to continue',
      { status: 'trialing' },
      'It ends on 5 December 2026. If you’ve added a card, your plan starts then and the card is charged.',
    ],
    ['describes an ended plan', { status: 'canceled' }, 'You don’t have a paid plan.'],
    [
      'describes a paused plan',
      { status: 'paused' },
      'Your plan is paused. Meanwhile, you aren’t charged, and you have what the free plan includes.',
    ],
  ])('%s', (_what, subscription, line) => {
    expect(describePlanFor(subscription)).toEqual({ line, warning: null });
  });

  it('distinguishes a late payment during and after the grace period', () => {
    const late: Partial<Subscription> = { status: 'past_due', graceUntil: day('2026-11-12') };
    expect(describePlanFor(late).warning).toContain('keep your plan until 12 November 2026');
    const over = describePlanFor(late, { plan: 'FREE' });
    expect(over.line).toBe('You don’t have a paid plan.');
    expect(over.warning).toContain('your plan has stopped');
  });

  it.each(['unpaid', 'incomplete'] as const)('says what to do when a subscription is %s', (status) => {
    expect(describePlanFor({ status }, { plan: 'FREE' })).toEqual({
      line: 'You don’t have a paid plan.',
      warning: expect.stringContaining('“Manage my plan”'),
    });
  });

  it('says when a cancelled plan ended', () => {
    const ended: Partial<Subscription> = { status: 'canceled', endsAt: day('2026-11-05') };
    const line = 'You don’t have a paid plan. Your last one ended on 5 November 2026.';
    expect(describePlanFor(ended, { plan: 'FREE' })).toEqual({ line, warning: null });
  });

  it('explains a plan that ends with its account', () => {
    const leaving = { eraseAt: day('2026-12-21') };
    expect(describePlanFor({}, leaving).line).toMatch(
      /ends on 5 December 2026, and you won’t be charged again.*continues\.$/,
    );
    expect(describePlanFor(undefined, { ...leaving, plan: 'FREE' }).line).toBe('You don’t have a paid plan.');
  });

  it('explains a plan that ends because access was revoked', () => {
    const ending = { endsAt: day('2026-12-05'), endsWithAccount: true };
    expect(describePlanFor(ending, { hasAccess: false }).line).toBe(
      'Your plan ends on 5 December 2026, because your access has ended. You won’t be charged again.',
    );
    expect(describePlanFor({ ...ending, isPeriodUnpaid: true }, { hasAccess: false }).line).toMatch(
      /may still be charged for it\.$/,
    );
    expect(describePlanFor({ ...ending, status: 'past_due' }, { hasAccess: false }).line).toContain(
      'may be tried again',
    );
    expect(describePlanFor(ending, { hasAccess: false, eraseAt: day('2026-12-21') }).line).not.toContain('continues');
    expect(describePlanFor({ ...ending, status: 'canceled' }, { hasAccess: false }).line).toBe(
      'You don’t have a paid plan. Your last one ended on 5 December 2026.',
    );
  });

  it('says that it does not know a plan or a state of a newer server', () => {
    expect(describePlanFor({ status: 'other' }).line).toMatch(/doesn’t know the state of your plan/);
    expect(describePlanFor(undefined, { plan: 'other' }).line).toMatch(/doesn’t know your plan/);
    expect(isPaying(anAccount({}, { status: 'other' }))).toBe(true);
  });

  it('explains why an anonymous account has no plan', () => {
    expect(describePlanFor(undefined, { email: null, plan: 'FREE' }).line).toBe(
      'You’re using Parley without an account.',
    );
  });
});
