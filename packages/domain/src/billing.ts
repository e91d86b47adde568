/** Which of the subscriptions that a payment provider knows of a learner is the one that counts. */
import type { PlanType, SubscriptionStatus } from './enumerations.ts';
import { ALLOWANCES } from './plans.ts';

/** From the one that gives most to the one that gives nothing. */
const RANK: Readonly<Record<SubscriptionStatus, number>> = {
  active: 0,
  trialing: 1,
  past_due: 2,
  paused: 3,
  unpaid: 4,
  incomplete: 5,
  canceled: 6,
  incomplete_expired: 7,
};

/** Whether a learner with it is a customer already, who changes a plan and does not buy a second one. */
export const isRunning = (status: SubscriptionStatus | null): boolean => status !== null && RANK[status] <= RANK.unpaid;

/** Whether a plan is paid for, or is to be: not by nothing at all, and not by a free week. */
export const isPaidPlan = (status: SubscriptionStatus | null): boolean => isRunning(status) && status !== 'trialing';

/**
 * Of all that there ever were, by what they give, then by their age: the order in which they are told does not matter. Of two that run, the
 * dearer plan counts, whichever was bought last. `planOf`: by its price; null where that is not known.
 */
export function subscriptionThatCounts<Known extends { id: string; status: SubscriptionStatus; createdAt: Date }>(
  all: readonly Known[],
  planOf: (known: Known) => PlanType | null,
): Known | null {
  const gives = (known: Known): number => (isRunning(known.status) ? ALLOWANCES[planOf(known) ?? 'FREE'].liveS : 0);
  const [first] = all.toSorted(
    (a, b) =>
      RANK[a.status] - RANK[b.status] ||
      gives(b) - gives(a) ||
      b.createdAt.getTime() - a.createdAt.getTime() ||
      (a.id < b.id ? -1 : 1),
  );
  return first ?? null;
}

/** How a subscription stands: what decides when it ends, and whether it is paid for again before. */
export interface RunningPlan {
  status: SubscriptionStatus | null;
  currentPeriodEnd: Date | null;
  /** The day on which it is to end, whoever said so; null: it is renewed. */
  endsAt: Date | null;
  /** That day was set because the account is to be erased, or has lost access, and is none of the learner's choosing. */
  endsWithAccount: boolean;
  /** It was renewed, and the money for that has not been taken: an invoice is a draft for an hour first. */
  isPeriodUnpaid: boolean;
}

/** The day on which it ends, from what a provider says of it. */
export const endOf = ({
  cancelAt,
  cancelAtPeriodEnd,
  currentPeriodEnd,
}: {
  cancelAt: Date | null;
  cancelAtPeriodEnd: boolean;
  currentPeriodEnd: Date | null;
}): Date | null => (cancelAtPeriodEnd ? (currentPeriodEnd ?? cancelAt) : cancelAt);

/** Whether it is paid for again, if nobody does anything. */
export const isRenewed = ({
  status,
  endsAt,
  currentPeriodEnd,
}: Omit<RunningPlan, 'endsWithAccount' | 'isPeriodUnpaid'>): boolean =>
  isRunning(status) && (endsAt === null || (currentPeriodEnd !== null && currentPeriodEnd < endsAt));
