/** What a completed checkout makes: the customer, the card, the subscription. */
import { trialEndOf } from '../api/trial-end.ts';
import { attachCard } from '../billing/cards.ts';
import { startSubscription } from '../billing/start.ts';
import { newCard, newCustomer } from '../objects/customer.ts';
import { detailsOf } from '../objects/sessions.ts';
import type { CheckoutSessionObject } from '../state/resources.ts';
import type { World } from '../world.ts';

export const needsCard = ({ payment_method_collection: collection, amount_total: total }: CheckoutSessionObject) =>
  collection !== 'if_required' || (total ?? 0) > 0;

export function completeCheckout(world: World, id: string, { email }: { email: string }): CheckoutSessionObject {
  const session = world.get('checkout.session', id);
  const plan = world.state.checkoutPlansBySession[id];
  const item = plan?.items[0];
  if (plan === undefined || item === undefined) throw new Error(`${id} was never begun`);
  const now = world.now();
  const customer = session.customer ?? world.add('customer', newCustomer({ email }, now), 'customer.created').id;
  const card = needsCard(session)
    ? attachCard(world, newCard(customer, { email, now }), { customer, isDefault: false })
    : null;
  const { trialPeriodDays: days, trialEnd: end } = plan;
  const subscription = startSubscription(world, {
    customer,
    price: world.get('price', item.price.id),
    quantity: item.quantity ?? 1,
    itemMetadata: item.metadata ?? {},
    metadata: plan.subscriptionMetadata,
    description: plan.subscriptionDescription,
    trialEnd: trialEndOf(world, {
      ...(days === null ? {} : { trial_period_days: days }),
      ...(end === null || end <= now ? {} : { trial_end: end }),
    }),
    missingPaymentMethod: plan.missingPaymentMethod,
    defaultPaymentMethod: card?.id ?? null,
    savesPaymentMethod: true,
    paymentMethodTypes: null,
    behavior: 'allow_incomplete',
  });
  const completed = world.change('checkout.session', id, null, (open) => {
    open.status = 'complete';
    open.payment_status = (open.amount_total ?? 0) > 0 ? 'paid' : 'no_payment_required';
    open.customer = customer;
    open.customer_details = detailsOf(world.get('customer', customer).email ?? email);
    open.subscription = subscription.id;
    open.invoice = subscription.latest_invoice;
    open.url = null;
  });
  world.emit('checkout.session.completed', completed);
  return completed;
}
