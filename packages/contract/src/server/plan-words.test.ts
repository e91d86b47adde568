import { describe, expect, it } from 'vitest';
import type { AccountView } from './account.ts';
import { planWords } from './plan-words.ts';

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
const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const words = (subscription?: Partial<Subscription>, change: Partial<AccountView> = {}) =>
  planWords(anAccount(change, subscription), dayOf);

describe('what is said of a plan', () => {
  it.each<[string, Partial<Subscription>, string]>([
    ['that runs', {}, 'It is renewed on 5 December 2026.'],
    ['that was ended', { endsAt: day('2026-12-05') }, 'It ends on 5 December 2026, and is not renewed.'],
    [
      'that ends on a day further off',
      { endsAt: day('2027-02-05') },
      'It is renewed on 5 December 2026. It ends on 5 February 2027.',
    ],
    [
      'that becomes a cheaper one',
      { next: { plan: 'PLUS', interval: 'year', at: day('2026-12-05') } },
      'On 5 December 2026 it changes to Plus, paid once a year. Until then you keep what you have.',
    ],
    ['that is tried', { status: 'trialing' }, 'It ends on 5 December 2026. Nothing is charged by itself.'],
    ['that is over', { status: 'canceled' }, 'You have no paid plan.'],
    [
      'that is paused',
      { status: 'paused' },
      'Your plan is paused. Nothing is charged meanwhile, and you have what the free plan gives.',
    ],
  ])('%s', (_what, subscription, line) => {
    expect(words(subscription)).toEqual({ line, warning: null });
  });

  it('whose payment is late differs while it holds, and after', () => {
    const late: Partial<Subscription> = { status: 'past_due', graceUntil: day('2026-11-12') };
    expect(words(late).warning).toContain('holds until 12 November 2026');
    const over = words(late, { plan: 'FREE' });
    expect(over.line).toBe('You have no paid plan.');
    expect(over.warning).toContain('your plan has stopped');
  });

  it.each(['unpaid', 'incomplete'] as const)('that is %s says what to do', (status) => {
    expect(words({ status }, { plan: 'FREE' })).toEqual({
      line: 'You have no paid plan.',
      warning: expect.stringContaining('“Manage my plan”'),
    });
  });

  it('that goes with its account says so', () => {
    const leaving = { eraseAt: day('2026-12-21') };
    expect(words({}, leaving).line).toMatch(/ends on 5 December 2026, and you are not charged again.*goes on\.$/);
    expect(words(undefined, { ...leaving, plan: 'FREE' }).line).toBe('You have no paid plan.');
  });

  it('that ends because access was taken away says so, and that keeping the account brings nothing back', () => {
    const ending = { endsAt: day('2026-12-05'), endsWithAccount: true };
    expect(words(ending, { hasAccess: false }).line).toBe(
      'Your plan ends on 5 December 2026, because your access was taken away. You are not charged again.',
    );
    expect(words({ ...ending, isPeriodUnpaid: true }, { hasAccess: false }).line).toMatch(/may still be charged\.$/);
    expect(words({ ...ending, status: 'past_due' }, { hasAccess: false }).line).toContain('may be tried again');
    expect(words(ending, { hasAccess: false, eraseAt: day('2026-12-21') }).line).not.toContain('goes on');
    expect(words({ ...ending, status: 'canceled' }, { hasAccess: false }).line).toBe('You have no paid plan.');
  });

  it('of nobody in particular says why there is none', () => {
    expect(words(undefined, { email: null, plan: 'FREE' }).line).toBe('You use Parley without an account.');
  });
});
