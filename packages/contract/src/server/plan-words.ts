/** What the app and the web page say of a plan: by how its subscription stands with the provider, and not by the plan's name alone. */
import { isRenewed, isRunning, type PlanType, sayPlanAtLeaving } from '@parley/domain';
import { type AccountView, planAtLeavingOf, runningPlanOf } from './account.ts';

/** Plans as a learner calls them. */
export const PLAN_NAMES: Record<PlanType, string> = { FREE: 'Free', TRIALING: 'Free week', PLUS: 'Plus', PRO: 'Pro' };

export interface PlanWords {
  line: string;
  /** What the learner should do something about. */
  warning: string | null;
}

/** A moment in ISO 8601 as a day that is read. */
type DayOf = (iso: string) => string;
type Subscription = NonNullable<AccountView['subscription']>;

const NO_PLAN = 'You have no paid plan.';

export function planWords(account: AccountView, dayOf: DayOf): PlanWords {
  const { email, subscription, eraseAt } = account;
  if (email === null) return said('You use Parley without an account.');
  const atLeaving = eraseAt === null ? null : planAtLeavingOf(account, new Date(eraseAt));
  const leaving = sayPlanAtLeaving(atLeaving, (at) => dayOf(at.toISOString()));
  if (leaving !== null) return said(leaving);
  const withoutAccess = sayPlanWithoutAccess(account, dayOf);
  if (withoutAccess !== null) return said(withoutAccess);
  switch (subscription?.status) {
    case 'trialing':
      return said(
        subscription.currentPeriodEnd === null
          ? 'Nothing is charged by itself.'
          : `It ends on ${dayOf(subscription.currentPeriodEnd)}. Nothing is charged by itself.`,
      );
    case 'active':
      return said(whatFollows(account, subscription, dayOf));
    case 'past_due':
      return {
        line: account.plan === 'FREE' ? NO_PLAN : 'A payment is late.',
        warning: late(account, subscription, dayOf),
      };
    case 'paused':
      return said('Your plan is paused. Nothing is charged meanwhile, and you have what the free plan gives.');
    case 'unpaid':
      return {
        line: NO_PLAN,
        warning: 'Your plan was not paid, so it has stopped. Pay what is open under “Manage my plan”, and it goes on.',
      };
    case 'incomplete':
      return {
        line: NO_PLAN,
        warning: 'Your first payment is not finished. Finish it under “Manage my plan”, or choose a plan again.',
      };
    default:
      return said(NO_PLAN);
  }
}

/** A plan that ends because access was taken away; null where none does. */
export function sayPlanWithoutAccess({ hasAccess, eraseAt, subscription }: AccountView, dayOf: DayOf): string | null {
  if (hasAccess || eraseAt !== null || subscription === null) return null;
  const { status, endsAt, endsWithAccount, isPeriodUnpaid } = subscription;
  if (!endsWithAccount || endsAt === null || !isRunning(status)) return null;
  const ends = `Your plan ends on ${dayOf(endsAt)}, because your access was taken away.`;
  if (status === 'past_due')
    return `${ends} It is not renewed; the payment that did not go through may be tried again until then.`;
  return isPeriodUnpaid
    ? `${ends} It is not renewed; the period that has begun is not paid yet, and may still be charged.`
    : `${ends} You are not charged again.`;
}

const said = (line: string): PlanWords => ({ line, warning: null });

function whatFollows(account: AccountView, { currentPeriodEnd, endsAt, next }: Subscription, dayOf: DayOf): string {
  const plan = runningPlanOf(account);
  if (next !== null) return `On ${dayOf(next.at)} it changes to ${planBy(next)}. Until then you keep what you have.`;
  if (endsAt === null) return currentPeriodEnd === null ? 'It is renewed by itself.' : renewed(dayOf(currentPeriodEnd));
  const isRenewedBefore = plan !== null && isRenewed(plan) && currentPeriodEnd !== null;
  return isRenewedBefore
    ? `${renewed(dayOf(currentPeriodEnd))} It ends on ${dayOf(endsAt)}.`
    : `It ends on ${dayOf(endsAt)}, and is not renewed.`;
}

const renewed = (day: string): string => `It is renewed on ${day}.`;

const planBy = ({ plan, interval }: { plan: PlanType; interval: string | null }): string =>
  interval === 'month' || interval === 'year'
    ? `${PLAN_NAMES[plan]}, paid ${interval === 'year' ? 'once a year' : 'every month'}`
    : PLAN_NAMES[plan];

function late({ plan }: AccountView, { graceUntil }: Subscription, dayOf: DayOf): string {
  return plan === 'FREE' || graceUntil === null
    ? 'Your last payment did not go through, so your plan has stopped. Check your card under “Manage my plan”; once it is paid, the plan goes on.'
    : `Your last payment did not go through. Your plan holds until ${dayOf(graceUntil)}; check your card under “Manage my plan”.`;
}
