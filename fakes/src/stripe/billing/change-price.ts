/** Changes the price or quantity in the middle of a period, with prorations. */
import { legacyPlanOf } from '../objects/catalogue.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { ProrationBehavior } from '../params/subscriptions.ts';
import { cardDeclined } from '../api-error.ts';
import type { InvoiceLineObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { nextPeriodEnd } from './calendar.ts';
import { findCard, isDeclining } from './cards.ts';
import { draftInvoice } from './invoices.ts';
import { periodLine, remainderLine } from './invoice-lines.ts';
import { settleInvoice } from './attempt-payment.ts';
import { getBillingInterval } from './start-subscription.ts';

export interface PriceChange {
  price: PriceObject;
  quantity: number;
  proration: ProrationBehavior;
  /** The billing cycle restarts now, as it does automatically when the interval changes. */
  startsCycle: boolean;
  at: number;
  /** Nothing changes when the card would decline. */
  onlyIfPaid: boolean;
}

export interface PlannedChange {
  /** Call inside the subscription's own update, so that one event contains the whole change. */
  apply: (subscription: SubscriptionObject) => void;
  /** Call afterwards to collect what is owed. */
  collect: () => void;
}

export function planPriceChange(store: StripeStore, before: SubscriptionObject, change: PriceChange): PlannedChange {
  const now = store.currentFields();
  const item = onlyItem(before);
  const newInterval = getBillingInterval(change.price);
  const oldInterval = getBillingInterval(item.price);
  const isSame = item.price.id === change.price.id && item.quantity === change.quantity;
  const hasNewInterval =
    newInterval.interval !== oldInterval.interval || newInterval.interval_count !== oldInterval.interval_count;
  // A trial costs nothing, and its end starts the cycle anyway.
  const isBilled = before.status !== 'trialing' && before.status !== 'paused';
  const startsCycle = isBilled && (change.startsCycle || hasNewInterval);
  const { proration, at } = change;

  const lines: InvoiceLineObject[] = [];
  if (isBilled && proration !== 'none' && (!isSame || startsCycle)) {
    lines.push(remainderLine(store, before, { price: item.price, quantity: item.quantity, at, sign: -1 }));
    if (!startsCycle)
      lines.push(remainderLine(store, before, { price: change.price, quantity: change.quantity, at, sign: 1 }));
  }
  const isInvoicedNow = startsCycle || (lines.length > 0 && proration === 'always_invoice');

  const applyChange = (subscription: SubscriptionObject): void => {
    const changed = onlyItem(subscription);
    changed.price = structuredClone(change.price);
    changed.plan = legacyPlanOf(change.price);
    changed.quantity = change.quantity;
    if (!startsCycle) return;
    subscription.billing_cycle_anchor = now;
    changed.current_period_start = now;
    changed.current_period_end = nextPeriodEnd(now, newInterval, now);
  };
  if (change.onlyIfPaid && isInvoicedNow) {
    const preview = structuredClone(before);
    applyChange(preview);
    assertPaymentSucceeds(store, preview, startsCycle ? [...lines, periodLine(store, preview)] : lines);
  }
  let invoice: string | null = null;
  return {
    apply: (subscription) => {
      applyChange(subscription);
      if (!isInvoicedNow) return addPendingLines(store, before.id, lines);
      ({ id: invoice } = draftInvoice(store, subscription, {
        reason: 'subscription_update',
        period: { start: now, end: now },
        finalizesAt: null,
        lines: startsCycle ? [...lines, periodLine(store, subscription)] : lines,
      }));
      subscription.latest_invoice = invoice;
    },
    collect: () => {
      if (invoice !== null) settleInvoice(store, invoice);
    },
  };
}

function addPendingLines(store: StripeStore, id: string, lines: readonly InvoiceLineObject[]): void {
  if (lines.length === 0) return;
  const pending = (store.state.pendingLinesBySubscription[id] ??= []);
  pending.push(...lines);
}

function assertPaymentSucceeds(
  store: StripeStore,
  subscription: SubscriptionObject,
  lines: readonly InvoiceLineObject[],
): void {
  const { balance } = store.get('customer', subscription.customer);
  const pending = store.state.pendingLinesBySubscription[subscription.id] ?? [];
  const owed = [...pending, ...lines].reduce((sum, { amount }) => sum + amount, balance);
  const card = findCard(store, subscription);
  if (owed > 0 && (card === undefined || isDeclining(store, card))) throw cardDeclined();
}
