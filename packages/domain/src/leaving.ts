/** An account that is to be erased: how long its learner may think again, and what becomes of a plan that runs. */
import { isRenewed, isRunning, type RunningPlan } from './billing.ts';

export const ERASE_AFTER_MS: number = 30 * 24 * 3_600_000;

export interface PlanAtLeaving {
  endsAt: Date;
  /** When the account is kept before that day: the learner has not ended it. */
  goesOnIfKept: boolean;
  /** A payment that did not go through, which the provider may try again. */
  isPaymentLate: boolean;
  /** A period that has begun and is still to be charged. */
  isPeriodUnpaid: boolean;
  /** What was paid for, or is to be, beyond the account's last day; null where nothing was. */
  paidUntil: Date | null;
}

/**
 * What becomes of a plan when its account is erased on a day: it is not paid for again. Null where there is none. To keep the account brings
 * nothing back to whom access was taken from.
 */
export function planAtLeaving(
  plan: RunningPlan | null,
  { eraseAt, hasAccess }: { eraseAt: Date; hasAccess: boolean },
): PlanAtLeaving | null {
  if (plan === null || !isRunning(plan.status)) return null;
  const ends = isRenewed(plan) ? plan.currentPeriodEnd : plan.endsAt;
  const isCut = ends === null || ends > eraseAt;
  return {
    endsAt: isCut ? eraseAt : ends,
    goesOnIfKept: hasAccess && (plan.endsWithAccount || isRenewed(plan)),
    isPaymentLate: plan.status === 'past_due',
    isPeriodUnpaid: plan.isPeriodUnpaid,
    paidUntil: isCut ? ends : null,
  };
}

/** The same to whoever is about to ask for it, or has. Null where there is no plan. */
export function sayPlanAtLeaving(plan: PlanAtLeaving | null, formatDay: (at: Date) => string): string | null {
  if (plan === null) return null;
  const { endsAt, goesOnIfKept, isPeriodUnpaid, paidUntil } = plan;
  return [
    sayCharges(plan, formatDay(endsAt)),
    ...(goesOnIfKept ? ['If you decide before that day to keep your account, your plan goes on.'] : []),
    ...(paidUntil === null
      ? []
      : [
          `${isPeriodUnpaid ? 'That period lasts' : 'It is paid'} until ${formatDay(paidUntil)}; the rest is not paid back.`,
        ]),
  ].join(' ');
}

function sayCharges({ isPaymentLate, isPeriodUnpaid }: PlanAtLeaving, day: string): string {
  const ends = `Your plan ends on ${day}`;
  if (isPaymentLate)
    return `${ends} and is not renewed. The payment that did not go through may be tried again until then.`;
  return isPeriodUnpaid
    ? `${ends} and is not renewed. The period that has begun is not paid yet, and may still be charged.`
    : `${ends}, and you are not charged again.`;
}
