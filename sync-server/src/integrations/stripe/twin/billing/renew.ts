/** What happens to a subscription when its time comes: a new period, the end of a trial. */
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { nextPeriodEnd } from './calendar.ts';
import { cardOf } from './cards.ts';
import { endSubscription } from './end.ts';
import { closeInvoice, draftInvoice } from './invoices.ts';
import { periodLine, periodOf } from './lines.ts';
import { settleInvoice } from './pay.ts';
import { rhythmOf } from './start.ts';

/** A renewal's draft waits for as long, so that lines can still be added to it. */
const DRAFT_S = 3_600;

export function renew(
  world: World,
  id: string,
  options: {
    reason?: 'subscription_cycle' | 'subscription_update';
    isSettledNow?: boolean;
    startsAt?: number;
    /** Where the cycle begins anew. */
    anchor?: number;
  } = {},
): void {
  const before = world.get('subscription', id);
  const { reason = 'subscription_cycle', isSettledNow = false, startsAt = periodOf(before).end } = options;
  const wait = isSettledNow || isResting(before) ? null : world.now() + DRAFT_S;
  let invoice: InvoiceObject | null = null;
  world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
    const item = onlyItem(subscription);
    if (options.anchor !== undefined) subscription.billing_cycle_anchor = options.anchor;
    const previous = { start: item.current_period_start, end: startsAt };
    if (subscription.status === 'trialing') {
      subscription.status = 'active';
      subscription.trial_end = startsAt;
    }
    item.current_period_start = startsAt;
    item.current_period_end = nextPeriodEnd(subscription.billing_cycle_anchor, rhythmOf(item.price), startsAt);
    const lines = [periodLine(world, subscription)];
    invoice = draftInvoice(world, subscription, { reason, period: previous, finalizesAt: wait, lines });
    subscription.latest_invoice = invoice.id;
  });
  if (invoice === null) return;
  if (isResting(before)) rest(world, before, invoice);
  else if (isSettledNow) settleInvoice(world, (invoice as InvoiceObject).id);
}

const isResting = ({ status, pause_collection: pause }: SubscriptionObject): boolean =>
  pause !== null || status === 'unpaid';

function rest(world: World, { pause_collection: pause }: SubscriptionObject, { id }: InvoiceObject): void {
  if (pause?.behavior === 'void') closeInvoice(world, id, 'void');
  else if (pause?.behavior === 'mark_uncollectible') closeInvoice(world, id, 'uncollectible');
  else
    world.change('invoice', id, null, (invoice) => {
      invoice.auto_advance = false;
    });
}

/** `isAsked`: somebody ended it before its time, and is billed at once. */
export function endTrial(world: World, id: string, { isAsked }: { isAsked: boolean }): void {
  const now = world.now();
  const subscription = world.get('subscription', id);
  const { trial_settings: settings, trial_end: plannedEnd } = subscription;
  const missing = settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  const endsAt = isAsked || plannedEnd === null ? now : plannedEnd;
  if (cardOf(world, subscription) === undefined && missing === 'cancel')
    return void endSubscription(world, id, { reason: null });
  if (cardOf(world, subscription) === undefined && missing === 'pause') return pauseWithoutCard(world, id);
  const reason = isAsked ? 'subscription_update' : 'subscription_cycle';
  renew(world, id, { reason, isSettledNow: isAsked, startsAt: endsAt, anchor: endsAt });
}

function pauseWithoutCard(world: World, id: string): void {
  const paused = world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.status = 'paused';
  });
  world.emit('customer.subscription.paused', paused);
}

/** Of a paused subscription: a new cycle from now on, active once it is paid. */
export function resume(world: World, id: string): SubscriptionObject {
  const now = world.now();
  renew(world, id, { isSettledNow: true, startsAt: now, anchor: now });
  return world.get('subscription', id);
}

export function announceTrialEnd(world: World, { id, trial_end: trialEnd }: SubscriptionObject): void {
  if (trialEnd !== null) world.state.announcedTrialEnds[id] = trialEnd;
  world.emit('customer.subscription.trial_will_end', world.get('subscription', id));
}
