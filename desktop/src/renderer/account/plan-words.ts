/** What is said of a plan: by how its subscription stands with the provider, and not by the plan's name alone. */
import { type AccountView, runningPlanOf } from '@parley/contract';
import { isRenewed, type PlanType, planAtLeaving, sayPlanAtLeaving } from '@parley/domain';
import { dayOf } from './money.ts';
import { PLAN_NAMES } from './plan-names.ts';

export interface PlanWords {
  line: string;
  /** What the learner should do something about. */
  warning: string | null;
}

type Subscription = NonNullable<AccountView['subscription']>;

const NO_PLAN = 'You have no paid plan.';

export function planWords(account: AccountView): PlanWords {
  const { email, subscription, eraseAt } = account;
  if (email === null) return said('You use Parley without an account.');
  const atLeaving = eraseAt === null ? null : planAtLeaving(runningPlanOf(account), new Date(eraseAt));
  const leaving = sayPlanAtLeaving(atLeaving, (at) => dayOf(at.toISOString()));
  if (leaving !== null) return said(leaving);
  switch (subscription?.status) {
    case 'trialing':
      return said(
        subscription.currentPeriodEnd === null
          ? 'Nothing is charged by itself.'
          : `It ends on ${dayOf(subscription.currentPeriodEnd)}. Nothing is charged by itself.`,
      );
    case 'active':
      return said(whatFollows(account, subscription));
    case 'past_due':
      return { line: account.plan === 'FREE' ? NO_PLAN : 'A payment is late.', warning: late(account, subscription) };
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

const said = (line: string): PlanWords => ({ line, warning: null });

function whatFollows(account: AccountView, { currentPeriodEnd, endsAt, next }: Subscription): string {
  const plan = runningPlanOf(account);
  if (next !== null) return `On ${dayOf(next.at)} it changes to ${planBy(next)}. Until then you keep what you have.`;
  if (endsAt === null) return currentPeriodEnd === null ? 'It is renewed by itself.' : renewed(currentPeriodEnd);
  const isRenewedBefore = plan !== null && isRenewed(plan) && currentPeriodEnd !== null;
  return isRenewedBefore
    ? `${renewed(currentPeriodEnd)} It ends on ${dayOf(endsAt)}.`
    : `It ends on ${dayOf(endsAt)}, and is not renewed.`;
}

const renewed = (at: string): string => `It is renewed on ${dayOf(at)}.`;

const planBy = ({ plan, interval }: { plan: PlanType; interval: string | null }): string =>
  interval === 'month' || interval === 'year'
    ? `${PLAN_NAMES[plan]}, paid ${interval === 'year' ? 'once a year' : 'every month'}`
    : PLAN_NAMES[plan];

function late({ plan }: AccountView, { graceUntil }: Subscription): string {
  return plan === 'FREE' || graceUntil === null
    ? 'Your last payment did not go through, so your plan has stopped. Check your card under “Manage my plan”; once it is paid, the plan goes on.'
    : `Your last payment did not go through. Your plan holds until ${dayOf(graceUntil)}; check your card under “Manage my plan”.`;
}
