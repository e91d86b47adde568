import { expect, it } from 'vitest';
import { SUBSCRIPTION_STATUSES, type PlanType, type SubscriptionStatus } from '../enumerations.ts';
import { cancellationDate, selectCurrentSubscription, willRenew } from './current-subscription.ts';

const JANUARY = new Date('2027-01-01');
const FEBRUARY = new Date('2027-02-01');

interface Bought {
  id: string;
  status: SubscriptionStatus;
  plan: PlanType;
  createdAt: Date;
}
const bought = (id: string, given: Partial<Bought>): Bought => ({
  id,
  status: 'active',
  plan: 'PLUS',
  createdAt: JANUARY,
  ...given,
});

it.each([
  ['one that is active before a trial', { status: 'active' }, { status: 'trialing' }],
  ['a trial before one whose payment is late', { status: 'trialing' }, { status: 'past_due', plan: 'PRO' }],
  ['one whose payment is late before one that was cancelled', { status: 'past_due' }, { status: 'canceled' }],
  ['the larger plan, even if it was bought first', { plan: 'PRO' }, { createdAt: FEBRUARY }],
  ['the newer of two of one plan', { createdAt: FEBRUARY }, {}],
  [
    'the newer of two that have ended, whatever their plans',
    { status: 'canceled', createdAt: FEBRUARY },
    { status: 'canceled', plan: 'PRO' },
  ],
] as const)('selects %s, in any order', (_which, current, other) => {
  // The id decides only when nothing else does.
  const all = [bought('b', current), bought('a', other)];
  for (const listed of [all, all.toReversed()])
    expect(selectCurrentSubscription(listed, ({ plan }) => plan)?.id).toBe('b');
});

it('selects none without a subscription', () => {
  expect(selectCurrentSubscription([], () => null)).toBeNull();
});

it('a cancelled subscription ends with its period or on the day that was set', () => {
  const ends = { cancelAt: JANUARY, currentPeriodEnd: FEBRUARY };
  expect(cancellationDate({ ...ends, cancelAtPeriodEnd: true })).toBe(FEBRUARY);
  expect(cancellationDate({ ...ends, cancelAtPeriodEnd: false })).toBe(JANUARY);
});

it('a subscription renews unless it ends with its period or no longer runs', () => {
  const renews = { status: 'active', endsAt: null, currentPeriodEnd: JANUARY } as const;
  expect(willRenew(renews)).toBe(true);
  expect(willRenew({ ...renews, endsAt: JANUARY })).toBe(false);
  expect(willRenew({ ...renews, endsAt: FEBRUARY })).toBe(true);
  const running = SUBSCRIPTION_STATUSES.filter((status) => willRenew({ ...renews, status }));
  expect(running).toEqual(['trialing', 'active', 'past_due', 'unpaid', 'paused']);
});
