/** What each plan allows of live conversation with a cloud coach, in seconds, and when it begins anew. */
import type { PlanType, PracticeStyle, SubscriptionStatus } from './enumerations.ts';

export interface Allowance {
  liveS: number;
  /** Of which ultra-realistic. */
  realisticS: number;
  /** `trial`: once, for as long as the trial lasts. */
  every: 'local_day' | 'billing_month' | 'trial';
}

const MEBIBYTE = 1_048_576;

/**
 * What an account may store on the server, in bytes of the texts and JSON of its rows. A session takes 5 to 40 KB with its turns: the least of
 * these holds thousands. Recordings are not stored there.
 */
export const STORAGE_QUOTA_BYTES: Readonly<Record<PlanType, number>> = {
  FREE: 256 * MEBIBYTE,
  TRIALING: 1_024 * MEBIBYTE,
  PLUS: 1_024 * MEBIBYTE,
  PRO: 4_096 * MEBIBYTE,
};

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
/** A conversation that is shorter than this, and in which the learner said nothing, is given back. */
export const MIN_COUNTED_S: number = 30;
/** So many conversations a day are given back whose connection broke before they were that long, whatever was said in them. */
export const FORGIVEN_DROPS_A_DAY = 3;

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

/** Until when the plan holds although a payment is late; null when none is. */
export function graceEndOf({ status, currentPeriodStart }: SubscriptionState): Date | null {
  return status === 'past_due' ? new Date((currentPeriodStart?.getTime() ?? 0) + GRACE_MS) : null;
}

/** The plan that holds now. */
export function planOf(subscription: SubscriptionState | null, now: Date): PlanType {
  switch (subscription?.status) {
    case 'trialing':
      return 'TRIALING';
    case 'active':
      return subscription.planType;
    case 'past_due':
      return now < (graceEndOf(subscription) ?? now) ? subscription.planType : 'FREE';
    default:
      return 'FREE';
  }
}

const DAY_MS = 24 * 3_600_000;
/** What lasts longer was paid for several months at once. */
const LONGEST_MONTH_MS = 32 * DAY_MS;

export const hasSeveralMonths = ({ currentPeriodStart: start, currentPeriodEnd: end }: PaidPeriod): boolean =>
  start !== null && end !== null && end.getTime() - start.getTime() > LONGEST_MONTH_MS;

export interface PaidPeriod {
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
}

/** From when to when a paid plan's minutes are counted: what is paid by the year is a month's minutes all the same. */
export function minutesPeriodOf(paid: PaidPeriod, now: Date): { startsAt: Date | null; endsAt: Date | null } {
  const { currentPeriodStart: start, currentPeriodEnd: end } = paid;
  if (start === null || end === null || !hasSeveralMonths(paid)) return { startsAt: start, endsAt: end };
  let months = (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth();
  if (monthsAfter(start, months) > now) months -= 1;
  const startsAt = monthsAfter(start, Math.max(0, months));
  const next = monthsAfter(start, Math.max(0, months) + 1);
  return { startsAt, endsAt: next < end ? next : end };
}

/** The same day of the month, or its last. */
function monthsAfter(start: Date, months: number): Date {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved;
}
