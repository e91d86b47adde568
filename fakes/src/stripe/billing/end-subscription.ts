/** Ends a subscription. */
import type { SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';

const ENDED = ['canceled', 'incomplete_expired'];
export const isEnded = ({ status }: SubscriptionObject): boolean => ENDED.includes(status);

export function endSubscription(
  store: StripeStore,
  id: string,
  {
    reason,
    status = 'canceled',
  }: { reason: 'cancellation_requested' | 'payment_failed' | null; status?: 'canceled' | 'incomplete_expired' },
): SubscriptionObject {
  const now = store.currentFields();
  const { schedule } = store.get('subscription', id);
  delete store.state.pendingLinesBySubscription[id];
  for (const invoice of store.all('invoice'))
    if (invoice.parent?.subscription_details?.subscription === id) stopCollecting(store, invoice.id);
  if (schedule !== null)
    store.update('subscription_schedule', schedule, 'subscription_schedule.canceled', (ended) => {
      ended.status = 'canceled';
      ended.canceled_at = now;
      ended.current_phase = null;
    });
  const ended = store.update('subscription', id, null, (subscription) => {
    subscription.status = status;
    subscription.canceled_at ??= now;
    subscription.ended_at = now;
    subscription.cancellation_details = {
      ...(subscription.cancellation_details ?? { comment: null, feedback: null, feedback_option: null }),
      reason: subscription.cancellation_details?.reason ?? reason,
    };
  });
  store.emit(
    status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
    ended,
    status === 'canceled' ? undefined : { status: 'incomplete' },
  );
  return ended;
}

const stopCollecting = (store: StripeStore, id: string): void => {
  const { status } = store.get('invoice', id);
  if (status === 'draft' || status === 'open')
    store.update('invoice', id, 'invoice.updated', (invoice) => {
      invoice.auto_advance = false;
      invoice.next_payment_attempt = null;
      invoice.automatically_finalizes_at = null;
    });
};
