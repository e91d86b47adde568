/** Applies the planned phases of subscription schedules. */
import type { PhaseObject } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { ProrationBehavior } from '../params/subscriptions.ts';
import type { ScheduleObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { planPriceChange } from './change-price.ts';
import { endSubscription } from './end-subscription.ts';

/** Returns when the next phase begins or the last one ends. */
export function nextPhaseAt(store: StripeStore, { id, status, phases }: ScheduleObject): number | null {
  if (status !== 'active') return null;
  const index = store.state.phaseBySchedule[id] ?? 0;
  return phases[index]?.end_date ?? null;
}

export function enterPhase(store: StripeStore, id: string): void {
  const schedule = store.get('subscription_schedule', id);
  const index = (store.state.phaseBySchedule[id] ?? 0) + 1;
  const phase = schedule.phases[index];
  if (phase === undefined) return completeSchedule(store, schedule);
  store.state.phaseBySchedule[id] = index;
  store.update('subscription_schedule', id, 'subscription_schedule.updated', (moved) => {
    moved.current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  });
  if (schedule.subscription !== null) applyPhase(store, schedule.subscription, phase);
}

function applyPhase(store: StripeStore, id: string, phase: PhaseObject): void {
  const subscription = store.get('subscription', id);
  const [item] = phase.items;
  if (item === undefined || typeof item.price !== 'string') return;
  const isAtPeriodEnd = onlyItem(subscription).current_period_end === phase.start_date;
  const planned = planPriceChange(store, subscription, {
    price: store.get('price', item.price),
    quantity: item.quantity ?? 1,
    // At the end of a period no unused time is left to credit.
    proration: isAtPeriodEnd ? 'none' : (phase.proration_behavior as ProrationBehavior),
    startsCycle: false,
    at: store.currentFields(),
    onlyIfPaid: false,
  });
  store.update('subscription', id, 'customer.subscription.updated', (changed) => {
    planned.apply(changed);
    changed.metadata = { ...changed.metadata, ...phase.metadata };
  });
  // At the end of a period the renewal, which is due now as well, bills the new price.
  planned.collect();
}

function completeSchedule(store: StripeStore, { id, end_behavior: behavior, subscription }: ScheduleObject): void {
  if (behavior === 'release') return void releaseSchedule(store, id);
  store.update('subscription_schedule', id, 'subscription_schedule.completed', (schedule) => {
    schedule.status = 'completed';
    schedule.completed_at = store.currentFields();
    schedule.current_phase = null;
  });
  if (subscription === null) return;
  store.update('subscription', subscription, null, (ended) => {
    ended.schedule = null;
  });
  endSubscription(store, subscription, { reason: 'cancellation_requested' });
}

/** The subscription continues unchanged, without a schedule. */
export function releaseSchedule(store: StripeStore, id: string): ScheduleObject {
  const { subscription } = store.get('subscription_schedule', id);
  if (subscription !== null)
    store.update('subscription', subscription, 'customer.subscription.updated', (free) => {
      free.schedule = null;
    });
  return store.update('subscription_schedule', id, 'subscription_schedule.released', (schedule) => {
    schedule.status = 'released';
    schedule.released_at = store.currentFields();
    schedule.released_subscription = subscription;
    schedule.subscription = null;
    schedule.current_phase = null;
  });
}
