/** Another price or quantity in the middle of a period, and what is given back and asked for. */
import { planOf } from '../objects/catalogue.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { ProrationBehavior } from '../params/subscriptions.ts';
import { refuseCard } from '../refused.ts';
import type { InvoiceLineObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { nextPeriodEnd } from './calendar.ts';
import { cardOf, isDeclining } from './cards.ts';
import { draftInvoice } from './invoices.ts';
import { periodLine, remainderLine } from './lines.ts';
import { settleInvoice } from './pay.ts';
import { rhythmOf } from './start.ts';

export interface PriceChange {
  price: PriceObject;
  quantity: number;
  proration: ProrationBehavior;
  /** The cycle starts now, as it does by itself where the interval changes. */
  startsCycle: boolean;
  at: number;
  /** Nothing happens if the card would not pay. */
  onlyIfPaid: boolean;
}

export interface PlannedChange {
  /** To be done inside the subscription's own change, so that one event tells all of it. */
  apply: (subscription: SubscriptionObject) => void;
  /** Afterwards: asks for what is owed for it. */
  collect: () => void;
}

export function planPriceChange(world: World, before: SubscriptionObject, change: PriceChange): PlannedChange {
  const now = world.now();
  const item = onlyItem(before);
  const rhythm = rhythmOf(change.price);
  const was = rhythmOf(item.price);
  const isSame = item.price.id === change.price.id && item.quantity === change.quantity;
  const hasNewRhythm = rhythm.interval !== was.interval || rhythm.interval_count !== was.interval_count;
  // A trial costs nothing, and its end starts the cycle anyway.
  const isBilled = before.status !== 'trialing' && before.status !== 'paused';
  const startsCycle = isBilled && (change.startsCycle || hasNewRhythm);
  const { proration, at } = change;

  const lines: InvoiceLineObject[] = [];
  if (isBilled && proration !== 'none' && (!isSame || startsCycle)) {
    lines.push(remainderLine(world, before, { price: item.price, quantity: item.quantity, at, sign: -1 }));
    if (!startsCycle)
      lines.push(remainderLine(world, before, { price: change.price, quantity: change.quantity, at, sign: 1 }));
  }
  const isInvoicedNow = startsCycle || (lines.length > 0 && proration === 'always_invoice');

  const alter = (subscription: SubscriptionObject): void => {
    const changed = onlyItem(subscription);
    changed.price = structuredClone(change.price);
    changed.plan = planOf(change.price);
    changed.quantity = change.quantity;
    if (!startsCycle) return;
    subscription.billing_cycle_anchor = now;
    changed.current_period_start = now;
    changed.current_period_end = nextPeriodEnd(now, rhythm, now);
  };
  if (change.onlyIfPaid && isInvoicedNow) {
    const would = structuredClone(before);
    alter(would);
    expectPayment(world, would, startsCycle ? [...lines, periodLine(world, would)] : lines);
  }
  let invoice: string | null = null;
  return {
    apply: (subscription) => {
      alter(subscription);
      if (!isInvoicedNow) return keepPending(world, before.id, lines);
      ({ id: invoice } = draftInvoice(world, subscription, {
        reason: 'subscription_update',
        period: { start: now, end: now },
        finalizesAt: null,
        lines: startsCycle ? [...lines, periodLine(world, subscription)] : lines,
      }));
      subscription.latest_invoice = invoice;
    },
    collect: () => {
      if (invoice !== null) settleInvoice(world, invoice);
    },
  };
}

function keepPending(world: World, id: string, lines: readonly InvoiceLineObject[]): void {
  if (lines.length === 0) return;
  const pending = (world.state.pendingLinesBySubscription[id] ??= []);
  pending.push(...lines);
}

function expectPayment(world: World, subscription: SubscriptionObject, lines: readonly InvoiceLineObject[]): void {
  const { balance } = world.get('customer', subscription.customer);
  const pending = world.state.pendingLinesBySubscription[subscription.id] ?? [];
  const owed = [...pending, ...lines].reduce((sum, { amount }) => sum + amount, balance);
  const card = cardOf(world, subscription);
  if (owed > 0 && (card === undefined || isDeclining(world, card))) throw refuseCard();
}
