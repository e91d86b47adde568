/** Decides which of a learner's subscriptions with the payment provider is the current one, and when it ends. */
import type { PlanType, SubscriptionStatus } from '../enumerations.ts';
import { ALLOWANCES } from './plans.ts';

/** Ordered from the status that grants most to the status that grants nothing. */
const RANK_BY_STATUS: Readonly<Record<SubscriptionStatus, number>> = {
  active: 0,
  trialing: 1,
  past_due: 2,
  paused: 3,
  unpaid: 4,
  incomplete: 5,
  canceled: 6,
  incomplete_expired: 7,
};

/** A learner with a running subscription changes their plan instead of buying a second one. */
export const isRunning = (status: SubscriptionStatus | null): boolean =>
  status !== null && RANK_BY_STATUS[status] <= RANK_BY_STATUS.unpaid;

/** True for a subscription that costs money: the free trial does not count. */
export const isPaidPlan = (status: SubscriptionStatus | null): boolean => isRunning(status) && status !== 'trialing';

/**
 * Ranks all subscriptions by status, then plan, then age, so the order in which the provider reports them does not matter. Of two running
 * subscriptions the more expensive plan wins, even if it was bought first. `planOf` returns null when the price is unknown.
 */
export function selectCurrentSubscription<
  Candidate extends { id: string; status: SubscriptionStatus; createdAt: Date },
>(all: readonly Candidate[], planOf: (candidate: Candidate) => PlanType | null): Candidate | null {
  const liveSecondsGranted = (candidate: Candidate): number =>
    isRunning(candidate.status) ? ALLOWANCES[planOf(candidate) ?? 'FREE'].liveS : 0;
  const [first] = all.toSorted(
    (a, b) =>
      RANK_BY_STATUS[a.status] - RANK_BY_STATUS[b.status] ||
      liveSecondsGranted(b) - liveSecondsGranted(a) ||
      b.createdAt.getTime() - a.createdAt.getTime() ||
      (a.id < b.id ? -1 : 1),
  );
  return first ?? null;
}

/** The parts of a subscription that decide when it ends and whether it renews before then. */
export interface RunningPlan {
  status: SubscriptionStatus | null;
  currentPeriodEnd: Date | null;
  /** The day the subscription ends, whether the learner or the server set it; null when it renews. */
  endsAt: Date | null;
  /** True when the end was set because the account is being deleted or has lost access, rather than by the learner. */
  endsWithAccount: boolean;
  /**
   * True when the subscription renewed but the payment has not been collected: the provider keeps an invoice as a draft for an hour first.
   */
  isPeriodUnpaid: boolean;
}

/** The end date, from the provider's fields. */
export const cancellationDate = ({
  cancelAt,
  cancelAtPeriodEnd,
  currentPeriodEnd,
}: {
  cancelAt: Date | null;
  cancelAtPeriodEnd: boolean;
  currentPeriodEnd: Date | null;
}): Date | null => (cancelAtPeriodEnd ? (currentPeriodEnd ?? cancelAt) : cancelAt);

/** True when the subscription will be charged again unless the learner changes it. */
export const willRenew = ({
  status,
  endsAt,
  currentPeriodEnd,
}: Omit<RunningPlan, 'endsWithAccount' | 'isPeriodUnpaid'>): boolean =>
  isRunning(status) && (endsAt === null || (currentPeriodEnd !== null && currentPeriodEnd < endsAt));
