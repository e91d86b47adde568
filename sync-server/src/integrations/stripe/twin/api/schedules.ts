/** Subscription schedules. */
import { nextPeriodEnd } from '../billing/calendar.ts';
import { isEnded } from '../billing/end.ts';
import { releaseSchedule } from '../billing/schedules.ts';
import { pickPrice, rhythmOf } from '../billing/start.ts';
import { newPhase, newSchedule, type PhaseObject } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import { scheduleCreate, scheduleRelease, scheduleUpdate } from '../params/schedules.ts';
import type { Read } from '../params/shape.ts';
import { refuse, refuseUnmodelled } from '../refused.ts';
import type { ScheduleObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { route } from './route.ts';

export const scheduleRoutes = [
  route('POST /v1/subscription_schedules', scheduleCreate, createSchedule),
  route('GET /v1/subscription_schedules/:id', onlyExpand, (world, _, id) => world.get('subscription_schedule', id)),
  route('POST /v1/subscription_schedules/:id', scheduleUpdate, updateSchedule),
  route('POST /v1/subscription_schedules/:id/release', scheduleRelease, (world, _, id) =>
    releaseSchedule(world, active(world, id).id),
  ),
];

function createSchedule(world: World, params: Read<typeof scheduleCreate>): ScheduleObject {
  if (params.from_subscription === undefined)
    throw refuseUnmodelled('a schedule without from_subscription', 'from_subscription');
  const subscription = world.named('subscription', params.from_subscription, 'from_subscription');
  if (isEnded(subscription)) throw refuse('An ended subscription cannot be scheduled.', { param: 'from_subscription' });
  if (subscription.schedule !== null)
    throw refuse(`The subscription already has the schedule ${subscription.schedule}.`, {
      param: 'from_subscription',
    });
  return planFor(world, subscription, mergeMetadata({}, params.metadata));
}

export function planFor(
  world: World,
  subscription: SubscriptionObject,
  metadata: Record<string, string>,
): ScheduleObject {
  const schedule = newSchedule(subscription, { metadata, now: world.now() });
  world.add('subscription_schedule', schedule, 'subscription_schedule.created');
  world.state.phaseBySchedule[schedule.id] = 0;
  world.change('subscription', subscription.id, 'customer.subscription.updated', (planned) => {
    planned.schedule = schedule.id;
  });
  return schedule;
}

function active(world: World, id: string): ScheduleObject {
  const schedule = world.get('subscription_schedule', id);
  if (schedule.status !== 'active')
    throw refuse(`The schedule is ${schedule.status}, and only an active one can be changed.`);
  return schedule;
}

function updateSchedule(world: World, params: Read<typeof scheduleUpdate>, id: string): ScheduleObject {
  const schedule = active(world, id);
  const { phases } = params;
  const planned = phases === undefined ? null : phasesOf(world, schedule, phases);
  return world.change('subscription_schedule', id, 'subscription_schedule.updated', (changed) => {
    if (params.end_behavior !== undefined) changed.end_behavior = params.end_behavior;
    changed.metadata = mergeMetadata(changed.metadata ?? {}, params.metadata);
    if (planned === null) return;
    changed.phases = planned;
    const [first] = planned;
    if (first !== undefined) changed.current_phase = { start_date: first.start_date, end_date: first.end_date };
    world.state.phaseBySchedule[id] = 0;
  });
}

type PhaseParams = NonNullable<Read<typeof scheduleUpdate>['phases']>;

/** One after the other; the first must be the one that runs. */
function phasesOf(world: World, schedule: ScheduleObject, given: PhaseParams): PhaseObject[] {
  const current = schedule.current_phase;
  const subscription = schedule.subscription === null ? null : world.get('subscription', schedule.subscription);
  if (current === null || subscription === null) throw refuse('The schedule no longer has a subscription.');
  if (given[0]?.start_date !== undefined && given[0].start_date !== current.start_date)
    throw refuse('The phase that runs cannot start at another time.', { param: 'phases[0][start_date]' });
  let start = current.start_date;
  return given.map((phase, index) => {
    const param = `phases[${index}]`;
    if (index > 0 && phase.start_date !== undefined && phase.start_date !== start)
      throw refuse('Phases follow each other without a gap.', { param: `${param}[start_date]` });
    const price = pickPrice(world, phase.items, `${param}[items]`);
    const running = onlyItem(subscription);
    const quantity = phase.items[0]?.quantity ?? 1;
    if (index === 0 && (price.id !== running.price.id || quantity !== running.quantity))
      throw refuseUnmodelled('another price in the phase that already runs', `${param}[items]`);
    const { interval, interval_count: count } = phase.duration ?? rhythmOf(price);
    const rhythm = { interval, interval_count: count ?? 1 };
    const end = phase.end_date ?? nextPeriodEnd(start, rhythm, start);
    if (end <= start || (index === 0 && end <= world.now()))
      throw refuse('A phase must end in the future, after its start.', { param: `${param}[end_date]` });
    const made = newPhase(subscription, {
      price: price.id,
      quantity,
      start,
      end,
      proration: phase.proration_behavior ?? 'create_prorations',
      metadata: mergeMetadata({}, phase.metadata),
    });
    start = end;
    return made;
  });
}
