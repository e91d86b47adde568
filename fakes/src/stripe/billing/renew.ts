/** Renews a subscription for a new period or at the end of its trial. */
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { nextPeriodEnd } from './calendar.ts';
import { findCard } from './cards.ts';
import { endSubscription } from './end-subscription.ts';
import { closeInvoice, draftInvoice } from './invoices.ts';
import { periodLine, currentPeriod } from './invoice-lines.ts';
import { settleInvoice } from './attempt-payment.ts';
import { getBillingInterval } from './start-subscription.ts';

/** A renewal's draft stays open this long, so that lines can still be added. */
const DRAFT_S = 3_600;

export function renew(
  store: StripeStore,
  id: string,
  options: {
    reason?: 'subscription_cycle' | 'subscription_update';
    isSettledNow?: boolean;
    startsAt?: number;
    /** Start of a new billing cycle. */
    anchor?: number;
  } = {},
): void {
  const before = store.get('subscription', id);
  const { reason = 'subscription_cycle', isSettledNow = false, startsAt = currentPeriod(before).end } = options;
  const finalizesAt = isSettledNow || isCollectionPaused(before) ? null : store.currentFields() + DRAFT_S;
  let invoice: InvoiceObject | null = null;
  store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
    const item = onlyItem(subscription);
    if (options.anchor !== undefined) subscription.billing_cycle_anchor = options.anchor;
    const previous = { start: item.current_period_start, end: startsAt };
    if (subscription.status === 'trialing') {
      subscription.status = 'active';
      subscription.trial_end = startsAt;
    }
    item.current_period_start = startsAt;
    item.current_period_end = nextPeriodEnd(
      subscription.billing_cycle_anchor,
      getBillingInterval(item.price),
      startsAt,
    );
    const lines = [periodLine(store, subscription)];
    invoice = draftInvoice(store, subscription, { reason, period: previous, finalizesAt, lines });
    subscription.latest_invoice = invoice.id;
  });
  if (invoice === null) return;
  if (isCollectionPaused(before)) closePausedInvoice(store, before, invoice);
  else if (isSettledNow) settleInvoice(store, (invoice as InvoiceObject).id);
}

const isCollectionPaused = ({ status, pause_collection: pause }: SubscriptionObject): boolean =>
  pause !== null || status === 'unpaid';

function closePausedInvoice(
  store: StripeStore,
  { pause_collection: pause }: SubscriptionObject,
  { id }: InvoiceObject,
): void {
  if (pause?.behavior === 'void') closeInvoice(store, id, 'void');
  else if (pause?.behavior === 'mark_uncollectible') closeInvoice(store, id, 'uncollectible');
  else
    store.update('invoice', id, null, (invoice) => {
      invoice.auto_advance = false;
    });
}

/** `isAsked`: the trial was ended early and is billed at once. */
export function endTrial(store: StripeStore, id: string, { isEarly }: { isEarly: boolean }): void {
  const now = store.currentFields();
  const subscription = store.get('subscription', id);
  const { trial_settings: settings, trial_end: plannedEnd } = subscription;
  const missing = settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  const endsAt = isEarly || plannedEnd === null ? now : plannedEnd;
  if (findCard(store, subscription) === undefined && missing === 'cancel')
    return void endSubscription(store, id, { reason: null });
  if (findCard(store, subscription) === undefined && missing === 'pause') return pauseWithoutCard(store, id);
  const reason = isEarly ? 'subscription_update' : 'subscription_cycle';
  renew(store, id, { reason, isSettledNow: isEarly, startsAt: endsAt, anchor: endsAt });
}

function pauseWithoutCard(store: StripeStore, id: string): void {
  const paused = store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.status = 'paused';
  });
  store.emit('customer.subscription.paused', paused);
}

/** Resumes a paused subscription with a new cycle; it becomes active once it is paid. */
export function resumeSubscription(store: StripeStore, id: string): SubscriptionObject {
  const now = store.currentFields();
  renew(store, id, { isSettledNow: true, startsAt: now, anchor: now });
  return store.get('subscription', id);
}

export function announceTrialEnd(store: StripeStore, { id, trial_end: trialEnd }: SubscriptionObject): void {
  if (trialEnd !== null) store.state.announcedTrialEnds[id] = trialEnd;
  store.emit('customer.subscription.trial_will_end', store.get('subscription', id));
}
