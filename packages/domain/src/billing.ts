/** Which of the subscriptions that a payment provider knows of a learner is the one that counts. */
import type { SubscriptionStatus } from './enumerations.ts';

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

/** Of all that there ever were, by what they give, then by their age: the order in which they are told does not matter. */
export function subscriptionThatCounts<Known extends { id: string; status: SubscriptionStatus; createdAt: Date }>(
  all: readonly Known[],
): Known | null {
  const [first] = all.toSorted(
    (a, b) =>
      RANK[a.status] - RANK[b.status] || b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  return first ?? null;
}
