/** Names plans and the states that the payment provider reports. */
import { planName } from '@parley/contract';
import { PLAN_TYPES, SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '@parley/domain';
import { t } from '@parley/i18n';

export const PAYMENT_STATES: Readonly<Record<SubscriptionStatus, string>> = {
  active: t('paid'),
  trialing: t('in the free week'),
  past_due: t('payment failed'),
  canceled: t('cancelled'),
  incomplete: t('first payment pending'),
  incomplete_expired: t('never paid'),
  unpaid: t('unpaid'),
  paused: t('paused'),
};

/** For values in lists and the audit log; a value that only a later server knows is shown unchanged. */
export function nameOfPlan(value: string): string {
  const plan = PLAN_TYPES.find((each) => each === value);
  return plan === undefined ? value : planName(plan, t);
}

export function nameOfPayment(value: string): string {
  const status = SUBSCRIPTION_STATUSES.find((each) => each === value);
  return status === undefined ? value : PAYMENT_STATES[status];
}
