/** The API of subscription schedules. */
import { nextPeriodEnd } from '../billing/calendar.ts';
import { isEnded } from '../billing/end-subscription.ts';
import { releaseSchedule } from '../billing/schedules.ts';
import { resolvePrice, getBillingInterval } from '../billing/start-subscription.ts';
import { newPhase, newSchedule, type PhaseObject } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import { scheduleCreate, scheduleRelease, scheduleUpdate } from '../params/schedules.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { invalidRequest, unsupportedByFake } from '../api-error.ts';
import type { ScheduleObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { route } from './route.ts';

export const scheduleRoutes = [
  route('POST /v1/subscription_schedules', scheduleCreate, createSchedule),
  route('GET /v1/subscription_schedules/:id', onlyExpand, (store, _, id) => store.get('subscription_schedule', id)),
  route('POST /v1/subscription_schedules/:id', scheduleUpdate, updateSchedule),
  route('POST /v1/subscription_schedules/:id/release', scheduleRelease, (store, _, id) =>
    releaseSchedule(store, getActiveSchedule(store, id).id),
  ),
];

function createSchedule(store: StripeStore, params: ParamsOf<typeof scheduleCreate>): ScheduleObject {
  if (params.from_subscription === undefined)
    throw unsupportedByFake('a schedule without from_subscription', 'from_subscription');
  const subscription = store.getByParam('subscription', params.from_subscription, 'from_subscription');
  if (isEnded(subscription))
    throw invalidRequest('An ended subscription cannot be scheduled.', { param: 'from_subscription' });
  if (subscription.schedule !== null)
    throw invalidRequest(`The subscription already has the schedule ${subscription.schedule}.`, {
      param: 'from_subscription',
    });
  return createScheduleFor(store, subscription, mergeMetadata({}, params.metadata));
}

export function createScheduleFor(
  store: StripeStore,
  subscription: SubscriptionObject,
  metadata: Record<string, string>,
): ScheduleObject {
  const schedule = newSchedule(subscription, { metadata, now: store.currentFields() });
  store.add('subscription_schedule', schedule, 'subscription_schedule.created');
  store.state.phaseBySchedule[schedule.id] = 0;
  store.update('subscription', subscription.id, 'customer.subscription.updated', (planned) => {
    planned.schedule = schedule.id;
  });
  return schedule;
}

function getActiveSchedule(store: StripeStore, id: string): ScheduleObject {
  const schedule = store.get('subscription_schedule', id);
  if (schedule.status !== 'active')
    throw invalidRequest(`The schedule is ${schedule.status}, and only an active one can be changed.`);
  return schedule;
}

function updateSchedule(store: StripeStore, params: ParamsOf<typeof scheduleUpdate>, id: string): ScheduleObject {
  const schedule = getActiveSchedule(store, id);
  const { phases } = params;
  const planned = phases === undefined ? null : toPhases(store, schedule, phases);
  return store.update('subscription_schedule', id, 'subscription_schedule.updated', (changed) => {
    if (params.end_behavior !== undefined) changed.end_behavior = params.end_behavior;
    changed.metadata = mergeMetadata(changed.metadata ?? {}, params.metadata);
    if (planned === null) return;
    changed.phases = planned;
    const [first] = planned;
    if (first !== undefined) changed.current_phase = { start_date: first.start_date, end_date: first.end_date };
    store.state.phaseBySchedule[id] = 0;
  });
}

type PhaseParams = NonNullable<ParamsOf<typeof scheduleUpdate>['phases']>;

/** Phases must follow each other, and the first must be the current one. */
function toPhases(store: StripeStore, schedule: ScheduleObject, given: PhaseParams): PhaseObject[] {
  const current = schedule.current_phase;
  const subscription = schedule.subscription === null ? null : store.get('subscription', schedule.subscription);
  if (current === null || subscription === null) throw invalidRequest('The schedule no longer has a subscription.');
  if (given[0]?.start_date !== undefined && given[0].start_date !== current.start_date)
    throw invalidRequest('The phase that runs cannot start at another time.', { param: 'phases[0][start_date]' });
  let start = current.start_date;
  return given.map((phase, index) => {
    const param = `phases[${index}]`;
    if (index > 0 && phase.start_date !== undefined && phase.start_date !== start)
      throw invalidRequest('Phases follow each other without a gap.', { param: `${param}[start_date]` });
    const price = resolvePrice(store, phase.items, `${param}[items]`);
    const running = onlyItem(subscription);
    const quantity = phase.items[0]?.quantity ?? 1;
    if (index === 0 && (price.id !== running.price.id || quantity !== running.quantity))
      throw unsupportedByFake('another price in the phase that already runs', `${param}[items]`);
    const { interval, interval_count: count } = phase.duration ?? getBillingInterval(price);
    const rhythm = { interval, interval_count: count ?? 1 };
    const end = phase.end_date ?? nextPeriodEnd(start, rhythm, start);
    if (end <= start || (index === 0 && end <= store.currentFields()))
      throw invalidRequest('A phase must end in the future, after its start.', { param: `${param}[end_date]` });
    const newPhaseObject = newPhase(subscription, {
      price: price.id,
      quantity,
      start,
      end,
      proration: phase.proration_behavior ?? 'create_prorations',
      metadata: mergeMetadata({}, phase.metadata),
    });
    start = end;
    return newPhaseObject;
  });
}
