/** What each plan allows of live conversation with a cloud coach, in seconds, and when it begins anew. */
import type { PlanType, PracticeStyle, SubscriptionStatus } from './enumerations.ts';

export interface Allowance {
  liveS: number;
  /** Of which ultra-realistic. */
  realisticS: number;
  /** `trial`: once, for as long as the trial lasts. */
  every: 'local_day' | 'billing_month' | 'trial';
}

const MINUTE_S = 60;

export const ALLOWANCES: Readonly<Record<PlanType, Allowance>> = {
  FREE: { liveS: 10 * MINUTE_S, realisticS: 0, every: 'local_day' },
  TRIALING: { liveS: 120 * MINUTE_S, realisticS: 30 * MINUTE_S, every: 'trial' },
  PLUS: { liveS: 600 * MINUTE_S, realisticS: 60 * MINUTE_S, every: 'billing_month' },
  PRO: { liveS: 1_800 * MINUTE_S, realisticS: 600 * MINUTE_S, every: 'billing_month' },
};

/** Live conversation is counted in leases of this length. */
export const LEASE_S: number = 60;
/** With nothing left, the turn is finished, and goodbye may take this long. */
export const GOODBYE_S: number = 60;
/** A conversation in which the learner spoke less than this is given back. */
export const MIN_COUNTED_SPEECH_S: number = 30;

export interface UsedSeconds {
  liveS: number;
  realisticS: number;
}

/** Seconds that are left of a plan for this style of conversation; 0 when it is used up. */
export function remainingSeconds(plan: PlanType, style: PracticeStyle, used: UsedSeconds): number {
  const allowed = ALLOWANCES[plan];
  const live = Math.max(0, allowed.liveS - used.liveS);
  if (style === 'turn_based') return live;
  return Math.min(live, Math.max(0, allowed.realisticS - used.realisticS));
}

/** What of a subscription decides which plan holds. */
export interface SubscriptionState {
  planType: PlanType;
  status: SubscriptionStatus | null;
  currentPeriodStart: Date | null;
}

/** A payment that is due may be late for so long. */
const GRACE_MS = 7 * 24 * 3_600_000;

/** The plan that holds now. */
export function planOf(subscription: SubscriptionState | null, now: Date): PlanType {
  switch (subscription?.status) {
    case 'trialing':
      return 'TRIALING';
    case 'active':
      return subscription.planType;
    case 'past_due': {
      const dueSince = subscription.currentPeriodStart?.getTime() ?? 0;
      return now.getTime() < dueSince + GRACE_MS ? subscription.planType : 'FREE';
    }
    default:
      return 'FREE';
  }
}
