/** Changes of price that are planned for the end of a period. */
import type { PhaseObject } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { ProrationBehavior } from '../params/subscriptions.ts';
import type { ScheduleObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { planPriceChange } from './change-price.ts';
import { endSubscription } from './end.ts';

/** When the next phase begins, or the last one ends. */
export function nextPhaseAt(world: World, { id, status, phases }: ScheduleObject): number | null {
  if (status !== 'active') return null;
  const index = world.state.phaseBySchedule[id] ?? 0;
  return phases[index]?.end_date ?? null;
}

export function enterPhase(world: World, id: string): void {
  const schedule = world.get('subscription_schedule', id);
  const index = (world.state.phaseBySchedule[id] ?? 0) + 1;
  const phase = schedule.phases[index];
  if (phase === undefined) return finish(world, schedule);
  world.state.phaseBySchedule[id] = index;
  world.change('subscription_schedule', id, 'subscription_schedule.updated', (moved) => {
    moved.current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  });
  if (schedule.subscription !== null) applyPhase(world, schedule.subscription, phase);
}

function applyPhase(world: World, id: string, phase: PhaseObject): void {
  const subscription = world.get('subscription', id);
  const [item] = phase.items;
  if (item === undefined || typeof item.price !== 'string') return;
  const isPeriodsEnd = onlyItem(subscription).current_period_end === phase.start_date;
  const planned = planPriceChange(world, subscription, {
    price: world.get('price', item.price),
    quantity: item.quantity ?? 1,
    // At a period's end nothing of it is left to be given back.
    proration: isPeriodsEnd ? 'none' : (phase.proration_behavior as ProrationBehavior),
    startsCycle: false,
    at: world.now(),
    onlyIfPaid: false,
  });
  world.change('subscription', id, 'customer.subscription.updated', (changed) => {
    planned.apply(changed);
    changed.metadata = { ...changed.metadata, ...phase.metadata };
  });
  // At a period's end the renewal, which is due now as well, bills the new price.
  planned.collect();
}

function finish(world: World, { id, end_behavior: behavior, subscription }: ScheduleObject): void {
  if (behavior === 'release') return void releaseSchedule(world, id);
  world.change('subscription_schedule', id, 'subscription_schedule.completed', (schedule) => {
    schedule.status = 'completed';
    schedule.completed_at = world.now();
    schedule.current_phase = null;
  });
  if (subscription === null) return;
  world.change('subscription', subscription, null, (ended) => {
    ended.schedule = null;
  });
  endSubscription(world, subscription, { reason: 'cancellation_requested' });
}

/** The subscription goes on as it is, without a plan. */
export function releaseSchedule(world: World, id: string): ScheduleObject {
  const { subscription } = world.get('subscription_schedule', id);
  if (subscription !== null)
    world.change('subscription', subscription, 'customer.subscription.updated', (free) => {
      free.schedule = null;
    });
  return world.change('subscription_schedule', id, 'subscription_schedule.released', (schedule) => {
    schedule.status = 'released';
    schedule.released_at = world.now();
    schedule.released_subscription = subscription;
    schedule.subscription = null;
    schedule.current_phase = null;
  });
}
