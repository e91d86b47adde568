/** What comes next by itself, and when. */
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceObject, ScheduleObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { days } from './calendar.ts';
import { endSubscription, isEnded } from './end.ts';
import { attemptPayment, settleInvoice } from './pay.ts';
import { announceTrialEnd, endTrial, renew } from './renew.ts';
import { enterPhase, nextPhaseAt } from './schedules.ts';

export interface Due {
  atS: number;
  run: () => void;
}

const TRIAL_NOTICE_S = days(3);
const INCOMPLETE_EXPIRES_S = 23 * 3_600;

/** The earliest; of two at once, the one that is named first here. */
export function nextDue(world: World): Due | null {
  const dues = [
    ...world.all('subscription_schedule').flatMap((schedule) => dueOfSchedule(world, schedule)),
    ...world
      .all('subscription')
      .filter((subscription) => !isEnded(subscription))
      .flatMap((subscription) => dueOfSubscription(world, subscription)),
    ...world.all('invoice').flatMap((invoice) => dueOfInvoice(world, invoice)),
    ...world
      .all('checkout.session')
      .flatMap(({ id, status, expires_at: atS }): Due[] =>
        status === 'open' ? [{ atS, run: () => expireSession(world, id) }] : [],
      ),
  ];
  return dues.reduce<Due | null>((first, due) => (first === null || due.atS < first.atS ? due : first), null);
}

const dueOfSchedule = (world: World, schedule: ScheduleObject): Due[] => {
  const atS = nextPhaseAt(world, schedule);
  return atS === null ? [] : [{ atS, run: () => enterPhase(world, schedule.id) }];
};

function dueOfSubscription(world: World, subscription: SubscriptionObject): Due[] {
  const { id, status, created, cancel_at: cancelAt, trial_end: trialEnd, pause_collection: pause } = subscription;
  const dues: Due[] = [];
  if (cancelAt !== null)
    dues.push({ atS: cancelAt, run: () => endSubscription(world, id, { reason: 'cancellation_requested' }) });
  if (status === 'incomplete')
    dues.push({
      atS: created + INCOMPLETE_EXPIRES_S,
      run: () => endSubscription(world, id, { reason: 'payment_failed', status: 'incomplete_expired' }),
    });
  if (typeof pause?.resumes_at === 'number')
    dues.push({ atS: pause.resumes_at, run: () => takeUpCollection(world, id) });
  if (status === 'trialing' && trialEnd !== null) {
    if (world.state.announcedTrialEnds[id] !== trialEnd)
      dues.push({
        atS: Math.max(trialEnd - TRIAL_NOTICE_S, created),
        run: () => announceTrialEnd(world, subscription),
      });
    dues.push({ atS: trialEnd, run: () => endTrial(world, id, { isAsked: false }) });
  }
  if (status === 'active' || status === 'past_due' || status === 'unpaid')
    dues.push({ atS: onlyItem(subscription).current_period_end, run: () => renew(world, id) });
  return dues;
}

function dueOfInvoice(world: World, invoice: InvoiceObject): Due[] {
  const { id, status, auto_advance: advances, automatically_finalizes_at: finalizesAt } = invoice;
  if (advances !== true) return [];
  if (status === 'draft' && finalizesAt !== null) return [{ atS: finalizesAt, run: () => settleInvoice(world, id) }];
  if (status === 'open' && invoice.next_payment_attempt !== null)
    return [{ atS: invoice.next_payment_attempt, run: () => attemptPayment(world, id) }];
  return [];
}

const takeUpCollection = (world: World, id: string): void =>
  void world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.pause_collection = null;
  });

export function expireSession(world: World, id: string): void {
  world.change('checkout.session', id, 'checkout.session.expired', (session) => {
    session.status = 'expired';
    session.url = null;
  });
}
