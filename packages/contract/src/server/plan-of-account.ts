/** Reads from an account what its plan is and how it ends. */
import { isPaidPlan, planAtDeletion, type PlanAtDeletion, type RunningPlan } from '@parley/domain';
import type { AccountView } from './account.ts';
import type { PlanOffer } from './billing.ts';

export function runningPlanOf({ subscription }: AccountView): RunningPlan | null {
  if (subscription === null) return null;
  const { status, currentPeriodEnd, endsAt, endsWithAccount, isPeriodUnpaid } = subscription;
  return {
    // An app cannot tell how a plan ends if only newer versions know its state.
    status: status === 'other' ? null : status,
    currentPeriodEnd: toDate(currentPeriodEnd),
    endsAt: toDate(endsAt),
    endsWithAccount,
    isPeriodUnpaid,
  };
}

export const planAtDeletionOf = (account: AccountView, eraseAt: Date): PlanAtDeletion | null =>
  planAtDeletion(runningPlanOf(account), { eraseAt, hasAccess: account.hasAccess });

/**
 * The learner's current offers. One plan can have several prices, so an offer is identified by its price. After an
 * unpaid upgrade, the subscription has the price of the larger plan, and the price of the plan in effect is unknown.
 */
export function currentOffers<Offer extends Pick<PlanOffer, 'plan' | 'priceId'>>(
  { plan, subscription }: AccountView,
  offers: readonly Offer[],
): readonly Offer[] {
  const ofPlan = offers.filter((offer) => offer.plan === plan);
  const paid = ofPlan.filter(({ priceId }) => priceId === subscription?.priceId);
  return paid.length === 0 && subscription?.status === 'past_due' ? ofPlan : paid;
}

/** An unknown state counts as paid, so that the learner does not buy a second plan. */
export const isPaying = ({ subscription }: AccountView): boolean =>
  subscription !== null && (subscription.status === 'other' || isPaidPlan(subscription.status));

const toDate = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
