/** Each plan's allowance of live conversation with a cloud coach, in seconds, and when it resets. */
import type { PlanType, PracticeStyle, PricingInterval, SubscriptionStatus } from '../enumerations.ts';

export interface Allowance {
  liveS: number;
  /** How much of `liveS` may be used for realtime calls. */
  realisticS: number;
  /** `trial`: granted once, for the length of the trial. */
  resetsEvery: 'local_day' | 'billing_month' | 'trial';
}

const MEBIBYTE = 1_048_576;

/**
 * The storage an account may use on the server, in bytes of its rows' text and JSON. A spoken session takes 10 to 110 KB, so the
 * smallest quota holds thousands. Copies of recordings have a quota of their own.
 */
export const STORAGE_QUOTA_BYTES: Readonly<Record<PlanType, number>> = {
  FREE: 256 * MEBIBYTE,
  TRIALING: 1_024 * MEBIBYTE,
  PLUS: 1_024 * MEBIBYTE,
  PRO: 4_096 * MEBIBYTE,
};

/**
 * The space for copies of recordings on the server. An hour of speech takes 11 MB, so the smallest quota holds a day of
 * it.
 */
export const RECORDINGS_QUOTA_BYTES: Readonly<Record<PlanType, number>> = {
  FREE: 256 * MEBIBYTE,
  TRIALING: 2_048 * MEBIBYTE,
  PLUS: 2_048 * MEBIBYTE,
  PRO: 8_192 * MEBIBYTE,
};

const MINUTE_S = 60;

export const ALLOWANCES: Readonly<Record<PlanType, Allowance>> = {
  FREE: { liveS: 10 * MINUTE_S, realisticS: 0, resetsEvery: 'local_day' },
  TRIALING: { liveS: 120 * MINUTE_S, realisticS: 30 * MINUTE_S, resetsEvery: 'trial' },
  PLUS: { liveS: 600 * MINUTE_S, realisticS: 60 * MINUTE_S, resetsEvery: 'billing_month' },
  PRO: { liveS: 1_800 * MINUTE_S, realisticS: 600 * MINUTE_S, resetsEvery: 'billing_month' },
};

/** How much of each course a plan opens. */
export const COURSES_BY_PLAN: Readonly<Record<PlanType, 'first_sections' | 'all'>> = {
  FREE: 'first_sections',
  TRIALING: 'all',
  PLUS: 'all',
  PRO: 'all',
};

/** Live conversation is metered in leases of this length. */
export const LEASE_S: number = 60;
/** When the allowance is exhausted, the current turn may finish and the goodbye may take this long. */
export const GOODBYE_GRACE_S: number = 60;
/** A shorter conversation in which the learner said nothing is refunded. */
export const MIN_METERED_S: number = 30;
/** The number of calls per day that are refunded: silent and dropped ones that were shorter than the minimum, and ones in which the server failed. */
export const REFUNDED_SESSIONS_PER_DAY = { silent: 10, dropped: 3, back: 10 } as const;
/**
 * Audio without words, such as that of a muted microphone, is free for this long per day. Providers charge for it as
 * for speech.
 */
export const FREE_WORDLESS_S_PER_DAY: number = 5 * MINUTE_S;

export interface UsedSeconds {
  liveS: number;
  realisticS: number;
}

/** The allowance's remaining seconds for this style of conversation; 0 when they are used up. */
export function remainingSeconds(allowance: Allowance, style: PracticeStyle, used: UsedSeconds): number {
  const live = Math.max(0, allowance.liveS - used.liveS);
  if (style === 'turn_based') return live;
  return Math.min(live, Math.max(0, allowance.realisticS - used.realisticS));
}

/** The payment state of a plan, besides its status. */
export interface PaymentState {
  /** When the late payment first failed; null when none is late, or when it has only just failed. */
  pastDueSince: Date | null;
  /** The plan that was last paid for, which a failed upgrade does not take away; null if none was. */
  paidPlan: PlanType | null;
  paidUntil: Date | null;
}

/** The part of a subscription that determines the effective plan. */
export interface SubscriptionState extends PaymentState {
  planType: PlanType;
  status: SubscriptionStatus | null;
}

/** How long a plan continues after a failed payment. */
const GRACE_MS = 7 * 24 * 3_600_000;

/** The plan that is in effect while a payment is late, and its end; null if no plan is. */
function planWhileLate(
  { planType, pastDueSince, paidPlan, paidUntil }: SubscriptionState,
  now: Date,
): { plan: PlanType; until: Date } | null {
  // An earlier server version stored no date. The next reconciliation adds it.
  const graceEnd = new Date((pastDueSince ?? now).getTime() + GRACE_MS);
  if (now < graceEnd) return { plan: planType, until: graceEnd };
  return paidPlan !== null && paidUntil !== null && now < paidUntil ? { plan: paidPlan, until: paidUntil } : null;
}

/**
 * Until when the plan in effect continues although a payment is late; null if no payment is late or the plan has
 * stopped.
 */
export const gracePeriodEnd = (subscription: SubscriptionState, now: Date): Date | null =>
  subscription.status === 'past_due' ? (planWhileLate(subscription, now)?.until ?? null) : null;

/** The plan that is in effect now. */
export function effectivePlan(subscription: SubscriptionState | null, now: Date): PlanType {
  switch (subscription?.status) {
    case 'trialing':
      return 'TRIALING';
    case 'active':
      return subscription.planType;
    case 'past_due':
      return planWhileLate(subscription, now)?.plan ?? 'FREE';
    default:
      return 'FREE';
  }
}

const DAY_MS = 24 * 3_600_000;
/** A longer period was paid for several months at once. */
const LONGEST_MONTH_MS = 32 * DAY_MS;

export const coversSeveralMonths = ({ currentPeriodStart: start, currentPeriodEnd: end }: PaidPeriod): boolean =>
  start !== null && end !== null && end.getTime() - start.getTime() > LONGEST_MONTH_MS;

export interface PaidPeriod {
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
}

export interface MeteringPeriod {
  startsAt: Date | null;
  endsAt: Date | null;
}

/** The period in which a paid plan's minutes are counted. A yearly plan still gets its minutes month by month. */
export function meteringPeriod(paid: PaidPeriod, now: Date): MeteringPeriod {
  const { currentPeriodStart: start, currentPeriodEnd: end } = paid;
  if (start === null || end === null || !coversSeveralMonths(paid)) return { startsAt: start, endsAt: end };
  let months = (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth();
  if (addMonths(start, months) > now) months -= 1;
  const startsAt = addMonths(start, Math.max(0, months));
  const next = addMonths(start, Math.max(0, months) + 1);
  return { startsAt, endsAt: next < end ? next : end };
}

const SHORTEST_MONTH_MS = 28 * DAY_MS;
const AVERAGE_MONTH_MS = 30 * DAY_MS;

/**
 * The plan's allowance for this period. A period that is shorter than a month, such as a week, gets its share of the month's minutes. After the end
 * of a paid period, before the provider has reported the next one, a month begins.
 */
export function allowanceIn(plan: PlanType, { startsAt, endsAt }: MeteringPeriod): Allowance {
  return allowanceFor(plan, (endsAt?.getTime() ?? 0) - (startsAt?.getTime() ?? 0));
}

function allowanceFor(plan: PlanType, lengthMs: number): Allowance {
  const allowance = ALLOWANCES[plan];
  if (allowance.resetsEvery !== 'billing_month' || lengthMs <= 0 || lengthMs >= SHORTEST_MONTH_MS) return allowance;
  const shareOf = (seconds: number): number => Math.ceil((seconds * lengthMs) / AVERAGE_MONTH_MS / MINUTE_S) * MINUTE_S;
  return { ...allowance, liveS: shareOf(allowance.liveS), realisticS: shareOf(allowance.realisticS) };
}

export interface BillingInterval {
  interval: PricingInterval;
  intervalCount: number;
}

const DAYS_BY_INTERVAL: Readonly<Record<PricingInterval, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** What a price grants, in seconds, and how often. */
export interface PriceAllowance extends BillingInterval {
  liveS: number;
  /** How much of `liveS` may be used for realtime calls. */
  realisticS: number;
}

/**
 * The allowance of a plan at this price, or of a free plan. A price for less than a month grants its share of the month's minutes; any other price
 * grants a month's minutes every month.
 */
export function allowanceAtPrice(plan: PlanType, price: BillingInterval | null): PriceAllowance {
  const lengthMs = price === null ? 0 : DAYS_BY_INTERVAL[price.interval] * price.intervalCount * DAY_MS;
  const { liveS, realisticS, resetsEvery } = allowanceFor(plan, lengthMs);
  if (resetsEvery === 'local_day') return { liveS, realisticS, interval: 'day', intervalCount: 1 };
  const isShort = price !== null && lengthMs < SHORTEST_MONTH_MS;
  const { interval, intervalCount } = isShort ? price : ({ interval: 'month', intervalCount: 1 } as const);
  return { liveS, realisticS, interval, intervalCount };
}

/** The same day of a later month, or that month's last day. */
function addMonths(start: Date, months: number): Date {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved;
}
