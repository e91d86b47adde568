/** Rules of account deletion: how long the learner can cancel it, and what happens to a running plan. */
import { willRenew, isRunning, type RunningPlan } from '../billing/current-subscription.ts';
import { joinSentences, type Translate } from '../translate.ts';

export const DELETION_DELAY_MS: number = 30 * 24 * 3_600_000;

export interface PlanAtDeletion {
  endsAt: Date;
  /** True when the plan continues if the account is kept, because the learner has not cancelled it. */
  continuesIfKept: boolean;
  /** True when a payment failed and the provider may retry it. */
  isPaymentLate: boolean;
  /** True when the current period has begun but has not been charged. */
  isPeriodUnpaid: boolean;
  /** The end of the paid period when it is after the deletion date; null otherwise. */
  paidUntil: Date | null;
}

/**
 * Describes what happens to a plan when its account is deleted on a given day: it does not renew. Returns null without a plan. Keeping the
 * account does not restore a plan whose learner has lost access.
 */
export function planAtDeletion(
  plan: RunningPlan | null,
  { eraseAt, hasAccess }: { eraseAt: Date; hasAccess: boolean },
): PlanAtDeletion | null {
  if (plan === null || !isRunning(plan.status)) return null;
  const ends = willRenew(plan) ? plan.currentPeriodEnd : plan.endsAt;
  const endsBeforePaidUntil = ends === null || ends > eraseAt;
  return {
    endsAt: endsBeforePaidUntil ? eraseAt : ends,
    continuesIfKept: hasAccess && (plan.endsWithAccount || willRenew(plan)),
    isPaymentLate: plan.status === 'past_due',
    isPeriodUnpaid: plan.isPeriodUnpaid,
    paidUntil: endsBeforePaidUntil ? ends : null,
  };
}

/** Formats texts and dates in the reader's language. */
export interface DeletionWords {
  t: Translate;
  formatDay: (at: Date) => string;
}

/** The same text is shown before and after the learner requests the deletion. Null without a plan. */
export function describePlanAtDeletion(plan: PlanAtDeletion | null, { t, formatDay }: DeletionWords): string | null {
  if (plan === null) return null;
  const { endsAt, continuesIfKept, isPeriodUnpaid, paidUntil } = plan;
  const day = paidUntil === null ? '' : formatDay(paidUntil);
  return joinSentences(t, [
    describeCharges(plan, t, formatDay(endsAt)),
    ...(continuesIfKept ? [t('If you decide to keep your account before that day, your plan continues.')] : []),
    ...(paidUntil === null
      ? []
      : [
          isPeriodUnpaid
            ? t('That period runs until {day}; the remaining time isn’t refunded.', { day })
            : t('You’ve paid until {day}; the remaining time isn’t refunded.', { day }),
        ]),
  ]);
}

function describeCharges({ isPaymentLate, isPeriodUnpaid }: PlanAtDeletion, t: Translate, day: string): string {
  if (isPaymentLate)
    return t('Your plan ends on {day} and won’t be renewed. The payment that failed may be tried again until then.', {
      day,
    });
  return isPeriodUnpaid
    ? t(
        'Your plan ends on {day} and won’t be renewed. The current period hasn’t been paid for yet, and you may still be charged for it.',
        { day },
      )
    : t('Your plan ends on {day}, and you won’t be charged again.', { day });
}
