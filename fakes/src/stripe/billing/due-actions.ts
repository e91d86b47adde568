/** Finds the next scheduled event, such as a renewal or the end of a trial. */
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceObject, ScheduleObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { daysToSeconds } from './calendar.ts';
import { endSubscription, isEnded } from './end-subscription.ts';
import { attemptPayment, settleInvoice } from './attempt-payment.ts';
import { announceTrialEnd, endTrial, renew } from './renew.ts';
import { enterPhase, nextPhaseAt } from './schedules.ts';

export interface DueAction {
  atS: number;
  run: () => void;
}

const TRIAL_NOTICE_S = daysToSeconds(3);
const INCOMPLETE_EXPIRES_S = 23 * 3_600;

/** Returns the earliest action; of two at the same time, the first in this list. */
export function nextDueAction(store: StripeStore): DueAction | null {
  const actions = [
    ...store.all('subscription_schedule').flatMap((schedule) => scheduleActions(store, schedule)),
    ...store
      .all('subscription')
      .filter((subscription) => !isEnded(subscription))
      .flatMap((subscription) => subscriptionActions(store, subscription)),
    ...store.all('invoice').flatMap((invoice) => invoiceActions(store, invoice)),
    ...store
      .all('checkout.session')
      .flatMap(({ id, status, expires_at: atS }): DueAction[] =>
        status === 'open' ? [{ atS, run: () => expireSession(store, id) }] : [],
      ),
  ];
  return actions.reduce<DueAction | null>(
    (first, action) => (first === null || action.atS < first.atS ? action : first),
    null,
  );
}

const scheduleActions = (store: StripeStore, schedule: ScheduleObject): DueAction[] => {
  const atS = nextPhaseAt(store, schedule);
  return atS === null ? [] : [{ atS, run: () => enterPhase(store, schedule.id) }];
};

function subscriptionActions(store: StripeStore, subscription: SubscriptionObject): DueAction[] {
  const { id, status, created, cancel_at: cancelAt, trial_end: trialEnd, pause_collection: pause } = subscription;
  const actions: DueAction[] = [];
  if (cancelAt !== null)
    actions.push({ atS: cancelAt, run: () => endSubscription(store, id, { reason: 'cancellation_requested' }) });
  if (status === 'incomplete')
    actions.push({
      atS: created + INCOMPLETE_EXPIRES_S,
      run: () => endSubscription(store, id, { reason: 'payment_failed', status: 'incomplete_expired' }),
    });
  if (typeof pause?.resumes_at === 'number')
    actions.push({ atS: pause.resumes_at, run: () => resumeCollection(store, id) });
  if (status === 'trialing' && trialEnd !== null) {
    if (store.state.announcedTrialEnds[id] !== trialEnd)
      actions.push({
        atS: Math.max(trialEnd - TRIAL_NOTICE_S, created),
        run: () => announceTrialEnd(store, subscription),
      });
    actions.push({ atS: trialEnd, run: () => endTrial(store, id, { isEarly: false }) });
  }
  if (status === 'active' || status === 'past_due' || status === 'unpaid')
    actions.push({ atS: onlyItem(subscription).current_period_end, run: () => renew(store, id) });
  return actions;
}

function invoiceActions(store: StripeStore, invoice: InvoiceObject): DueAction[] {
  const { id, status, auto_advance: advances, automatically_finalizes_at: finalizesAt } = invoice;
  if (advances !== true) return [];
  if (status === 'draft' && finalizesAt !== null) return [{ atS: finalizesAt, run: () => settleInvoice(store, id) }];
  if (status === 'open' && invoice.next_payment_attempt !== null)
    return [{ atS: invoice.next_payment_attempt, run: () => attemptPayment(store, id) }];
  return [];
}

const resumeCollection = (store: StripeStore, id: string): void =>
  void store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.pause_collection = null;
  });

export function expireSession(store: StripeStore, id: string): void {
  store.update('checkout.session', id, 'checkout.session.expired', (session) => {
    session.status = 'expired';
    session.url = null;
  });
}
