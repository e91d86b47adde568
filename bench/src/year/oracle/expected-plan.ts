/** The expected plan, derived from the provider's objects: its kind, its allowance and when its period began. */
import type { StripeFake } from '@parley/fakes/stripe/index.ts';
import { DAY_MS, SECOND_MS } from '../wall-clock.ts';

export type PlanName = 'FREE' | 'TRIALING' | 'PLUS' | 'PRO';

/** The provider's state of the effective subscription. */
export interface ProviderState {
  id: string;
  status: string;
  price: string;
  paidPlan: PlanName;
  isYearly: boolean;
  startMs: number;
  endMs: number;
  cancelAtMs: number | null;
  canceledAtMs: number | null;
  endedAtMs: number | null;
  /** When the server learned that a payment is late, or could have learned it at the earliest. */
  pastDueSinceMs: number | null;
  /** The plan of the last payment. */
  lastPaid: { plan: PlanName; untilMs: number } | null;
}

export const ALLOWANCES_S: Readonly<Record<PlanName, { live: number; calls: number }>> = {
  FREE: { live: 600, calls: 0 },
  TRIALING: { live: 7_200, calls: 1_800 },
  PLUS: { live: 36_000, calls: 3_600 },
  PRO: { live: 108_000, calls: 36_000 },
};

const GRACE_MS = 7 * DAY_MS;
/** In order of precedence. */
const STATUS_PRECEDENCE = [
  'active',
  'trialing',
  'past_due',
  'paused',
  'unpaid',
  'incomplete',
  'canceled',
  'incomplete_expired',
];

const msOf = (atS: number | null | undefined): number | null => (typeof atS === 'number' ? atS * SECOND_MS : null);

export function readProviderState({ tables }: StripeFake, customer: string): ProviderState | null {
  const planOfPrice = (price: { product: string }): PlanName =>
    tables.product[price.product]?.metadata['plan'] === 'PRO' ? 'PRO' : 'PLUS';
  const paymentsOf = (id: string): Pick<ProviderState, 'pastDueSinceMs' | 'lastPaid'> => {
    const invoices = Object.values(tables.invoice).filter(
      ({ parent }) => parent?.subscription_details?.subscription === id,
    );
    const failedS = invoices.flatMap(({ status, attempted, status_transitions: { finalized_at: atS } }) =>
      status === 'open' && attempted && atS !== null ? [atS] : [],
    );
    const [line] = invoices
      .toSorted((a, b) => b.created - a.created)
      .flatMap(({ status, lines }) => (status === 'paid' ? lines.data.filter(({ amount }) => amount > 0) : []));
    const priceId = line?.pricing?.price_details?.price;
    const price = typeof priceId === 'string' ? tables.price[priceId] : undefined;
    return {
      pastDueSinceMs: failedS.length === 0 ? null : Math.min(...failedS) * SECOND_MS,
      lastPaid:
        line === undefined || price === undefined
          ? null
          : { plan: planOfPrice(price), untilMs: line.period.end * SECOND_MS },
    };
  };
  const all = Object.values(tables.subscription).flatMap((subscription) => {
    const [item] = subscription.items.data;
    if (subscription.customer !== customer || item === undefined) return [];
    const isPaused = subscription.pause_collection !== null && ['active', 'trialing'].includes(subscription.status);
    const told: ProviderState = {
      id: subscription.id,
      status: isPaused ? 'paused' : subscription.status,
      price: item.price.id,
      paidPlan: planOfPrice(item.price),
      isYearly: item.price.recurring?.interval === 'year',
      startMs: item.current_period_start * SECOND_MS,
      endMs: item.current_period_end * SECOND_MS,
      cancelAtMs: msOf(subscription.cancel_at),
      canceledAtMs: msOf(subscription.canceled_at),
      endedAtMs: msOf(subscription.ended_at),
      ...paymentsOf(subscription.id),
    };
    return [{ told, created: subscription.created }];
  });
  const [first] = all.toSorted(
    (a, b) =>
      STATUS_PRECEDENCE.indexOf(a.told.status) - STATUS_PRECEDENCE.indexOf(b.told.status) || b.created - a.created,
  );
  return first?.told ?? null;
}

export function expectedPlanAt(told: ProviderState | null, nowMs: number): PlanName {
  if (told === null) return 'FREE';
  if (told.status === 'trialing') return 'TRIALING';
  if (told.status === 'active') return told.paidPlan;
  if (told.status !== 'past_due') return 'FREE';
  if (nowMs < (told.pastDueSinceMs ?? 0) + GRACE_MS) return told.paidPlan;
  return told.lastPaid !== null && nowMs < told.lastPaid.untilMs ? told.lastPaid.plan : 'FREE';
}

/** The last monthly reset. A yearly plan has a monthly allowance too. */
export function allowanceStartMs({ startMs, status, isYearly }: ProviderState, nowMs: number): number {
  if (status === 'trialing' || !isYearly) return startMs;
  const start = new Date(startMs);
  const afterMonths = (months: number): number => {
    const lastOfMonth = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0)).getUTCDate();
    const moved = new Date(startMs);
    moved.setUTCFullYear(
      start.getUTCFullYear(),
      start.getUTCMonth() + months,
      Math.min(start.getUTCDate(), lastOfMonth),
    );
    return moved.getTime();
  };
  let months = 0;
  while (afterMonths(months + 1) <= nowMs) months += 1;
  return afterMonths(months);
}
