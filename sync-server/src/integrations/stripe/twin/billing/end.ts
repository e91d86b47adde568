/** The end of a subscription. */
import type { SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';

const ENDED = ['canceled', 'incomplete_expired'];
export const isEnded = ({ status }: SubscriptionObject): boolean => ENDED.includes(status);

export function endSubscription(
  world: World,
  id: string,
  {
    reason,
    status = 'canceled',
  }: { reason: 'cancellation_requested' | 'payment_failed' | null; status?: 'canceled' | 'incomplete_expired' },
): SubscriptionObject {
  const now = world.now();
  const { schedule } = world.get('subscription', id);
  delete world.state.pendingLinesBySubscription[id];
  for (const invoice of world.all('invoice'))
    if (invoice.parent?.subscription_details?.subscription === id) stopCollecting(world, invoice.id);
  if (schedule !== null)
    world.change('subscription_schedule', schedule, 'subscription_schedule.canceled', (ended) => {
      ended.status = 'canceled';
      ended.canceled_at = now;
      ended.current_phase = null;
    });
  const ended = world.change('subscription', id, null, (subscription) => {
    subscription.status = status;
    subscription.canceled_at ??= now;
    subscription.ended_at = now;
    subscription.cancellation_details = {
      ...(subscription.cancellation_details ?? { comment: null, feedback: null, feedback_option: null }),
      reason: subscription.cancellation_details?.reason ?? reason,
    };
  });
  world.emit(
    status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
    ended,
    status === 'canceled' ? undefined : { status: 'incomplete' },
  );
  return ended;
}

const stopCollecting = (world: World, id: string): void => {
  const { status } = world.get('invoice', id);
  if (status === 'draft' || status === 'open')
    world.change('invoice', id, 'invoice.updated', (invoice) => {
      invoice.auto_advance = false;
      invoice.next_payment_attempt = null;
      invoice.automatically_finalizes_at = null;
    });
};
