/** Describes a plan in the app and on the website, from its subscription's state rather than the plan's name alone. */
import {
  COURSES_BY_PLAN,
  willRenew,
  isRunning,
  type PlanType,
  describePlanAtDeletion,
  joinSentences,
  type Translate,
} from '@parley/domain';
import type { AccountPlan, AccountView } from './account.ts';
import { planAtDeletionOf, runningPlanOf } from './plan-of-account.ts';

/** The plan's name as learners see it. */
export function planName(plan: AccountPlan, t: Translate): string {
  const names: Record<AccountPlan, string> = {
    FREE: t('Free'),
    TRIALING: t('Free week'),
    PLUS: 'Plus',
    PRO: 'Pro',
    other: t('Another plan'),
  };
  return names[plan];
}

/** How much of the courses a plan opens, worded as an entry of a list or table. */
export const coursesOfPlan = (plan: PlanType, t: Translate): string =>
  COURSES_BY_PLAN[plan] === 'all' ? t('All sections of all courses') : t('The first section of each course');

export interface PlanDescription {
  line: string;
  /** A problem that the learner should act on. */
  warning: string | null;
}

/** Formats texts and dates in the reader's language. */
export interface PlanWords {
  t: Translate;
  /** Formats an ISO 8601 time as a day. */
  formatDay: (iso: string) => string;
}
type Subscription = NonNullable<AccountView['subscription']>;

export function describePlan(account: AccountView, words: PlanWords): PlanDescription {
  const { t, formatDay } = words;
  const { email, subscription, eraseAt } = account;
  const noPlan = t('You don’t have a paid plan.');
  if (email === null) return withoutWarning(t('You’re using Parley without an account.'));
  const atDeletion = eraseAt === null ? null : planAtDeletionOf(account, new Date(eraseAt));
  const deletionText = describePlanAtDeletion(atDeletion, { t, formatDay: (at) => formatDay(at.toISOString()) });
  if (deletionText !== null) return withoutWarning(deletionText);
  const withoutAccessText = describePlanWithoutAccess(account, words);
  if (withoutAccessText !== null) return withoutWarning(withoutAccessText);
  switch (subscription?.status) {
    case 'trialing':
      return withoutWarning(describeTrialEnd(account, subscription, words));
    case 'active':
      return withoutWarning(describeRenewal(account, subscription, words));
    case 'past_due':
      return {
        line: account.plan === 'FREE' ? noPlan : t('A payment is late.'),
        warning: latePaymentWarning(account, subscription, words),
      };
    case 'paused':
      return withoutWarning(
        t('Your plan is paused. Meanwhile, you aren’t charged, and you have what the free plan includes.'),
      );
    case 'unpaid':
      return {
        line: noPlan,
        warning: t(
          'Your plan has stopped because it wasn’t paid for. To continue it, pay the outstanding amount under “Manage my plan”.',
        ),
      };
    case 'incomplete':
      return {
        line: noPlan,
        warning: t('Your first payment isn’t finished. Finish it under “Manage my plan”, or choose a plan again.'),
      };
    case 'canceled':
      return withoutWarning(
        subscription.endsAt === null
          ? noPlan
          : joinSentences(t, [noPlan, t('Your last one ended on {day}.', { day: formatDay(subscription.endsAt) })]),
      );
    case 'other':
      return withoutWarning(
        t('This version of Parley doesn’t know the state of your plan. Update Parley, or look under “Manage my plan”.'),
      );
    default:
      return withoutWarning(
        account.plan === 'other'
          ? t('This version of Parley doesn’t know your plan. Update Parley to see more.')
          : noPlan,
      );
  }
}

/** A plan that ends because access was revoked; null for other plans. */
export function describePlanWithoutAccess(
  { hasAccess, eraseAt, subscription }: AccountView,
  { t, formatDay }: PlanWords,
): string | null {
  if (hasAccess || eraseAt !== null || subscription === null) return null;
  const { status, endsAt, endsWithAccount, isPeriodUnpaid } = subscription;
  if (!endsWithAccount || endsAt === null || status === 'other' || !isRunning(status)) return null;
  const day = formatDay(endsAt);
  if (status === 'past_due')
    return t(
      'Your plan ends on {day}, because your access has ended. It won’t be renewed; the payment that failed may be tried again until then.',
      { day },
    );
  return isPeriodUnpaid
    ? t(
        'Your plan ends on {day}, because your access has ended. It won’t be renewed; the current period hasn’t been paid for yet, and you may still be charged for it.',
        { day },
      )
    : t('Your plan ends on {day}, because your access has ended. You won’t be charged again.', { day });
}

const withoutWarning = (line: string): PlanDescription => ({ line, warning: null });

function describeRenewal(
  account: AccountView,
  { currentPeriodEnd, endsAt, next }: Subscription,
  { t, formatDay }: PlanWords,
): string {
  const plan = runningPlanOf(account);
  if (next !== null)
    return t('On {day} it changes to {plan}. Until then you keep what you have.', {
      day: formatDay(next.at),
      plan: planWithInterval(next, t),
    });
  if (endsAt === null)
    return currentPeriodEnd === null
      ? t('It renews automatically.')
      : t('It renews on {day}.', { day: formatDay(currentPeriodEnd) });
  const isRenewedBefore = plan !== null && willRenew(plan) && currentPeriodEnd !== null;
  return isRenewedBefore
    ? t('It renews on {day} and ends on {lastDay}.', { day: formatDay(currentPeriodEnd), lastDay: formatDay(endsAt) })
    : t('It ends on {day} and won’t be renewed.', { day: formatDay(endsAt) });
}

/** A trial ends by itself unless its learner chose at the payment provider to continue, or the school set it up to continue. */
function describeTrialEnd(
  account: AccountView,
  { currentPeriodEnd }: Subscription,
  { t, formatDay }: PlanWords,
): string {
  const plan = runningPlanOf(account);
  if (currentPeriodEnd === null) return t('You won’t be charged automatically.');
  const day = formatDay(currentPeriodEnd);
  return plan !== null && willRenew(plan)
    ? t('It ends on {day}. If you’ve added a card, your plan starts then and the card is charged.', { day })
    : t('It ends on {day}. You won’t be charged automatically.', { day });
}

function planWithInterval({ plan, interval }: { plan: AccountPlan; interval: string | null }, t: Translate): string {
  const name = planName(plan, t);
  if (interval === 'year') return t('{name}, billed yearly', { name });
  return interval === 'month' ? t('{name}, billed monthly', { name }) : name;
}

function latePaymentWarning({ plan }: AccountView, { graceUntil }: Subscription, { t, formatDay }: PlanWords): string {
  return plan === 'FREE' || graceUntil === null
    ? t(
        'Your last payment failed, so your plan has stopped. Check your card under “Manage my plan”. Once the payment goes through, your plan continues.',
      )
    : t('Your last payment failed. You keep your plan until {day}: check your card under “Manage my plan”.', {
        day: formatDay(graceUntil),
      });
}
