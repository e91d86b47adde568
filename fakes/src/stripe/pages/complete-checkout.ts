/** Creates the customer, the card and the subscription of a completed checkout. */
import { readTrialEnd } from '../api/trial-end.ts';
import { attachCard } from '../billing/cards.ts';
import { startSubscription } from '../billing/start-subscription.ts';
import { newCard, newCustomer } from '../objects/customer.ts';
import { toCustomerDetails } from '../objects/sessions.ts';
import type { CheckoutSessionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';

export const needsCard = ({ payment_method_collection: collection, amount_total: total }: CheckoutSessionObject) =>
  collection !== 'if_required' || (total ?? 0) > 0;

export function completeCheckout(store: StripeStore, id: string, { email }: { email: string }): CheckoutSessionObject {
  const session = store.get('checkout.session', id);
  const plan = store.state.checkoutPlansBySession[id];
  const item = plan?.items[0];
  if (plan === undefined || item === undefined) throw new Error(`${id} was never begun`);
  const now = store.currentFields();
  const customer = session.customer ?? store.add('customer', newCustomer({ email }, now), 'customer.created').id;
  const card = needsCard(session)
    ? attachCard(store, newCard(customer, { email, now }), { customer, isDefault: false })
    : null;
  const { trialPeriodDays: days, trialEnd: end } = plan;
  const subscription = startSubscription(store, {
    customer,
    price: store.get('price', item.price.id),
    quantity: item.quantity ?? 1,
    itemMetadata: item.metadata ?? {},
    metadata: plan.subscriptionMetadata,
    description: plan.subscriptionDescription,
    trialEnd: readTrialEnd(store, {
      ...(days === null ? {} : { trial_period_days: days }),
      ...(end === null || end <= now ? {} : { trial_end: end }),
    }),
    missingPaymentMethod: plan.missingPaymentMethod,
    defaultPaymentMethod: card?.id ?? null,
    savesPaymentMethod: true,
    paymentMethodTypes: null,
    behavior: 'allow_incomplete',
  });
  const completed = store.update('checkout.session', id, null, (open) => {
    open.status = 'complete';
    open.payment_status = (open.amount_total ?? 0) > 0 ? 'paid' : 'no_payment_required';
    open.customer = customer;
    open.customer_details = toCustomerDetails(store.get('customer', customer).email ?? email);
    open.subscription = subscription.id;
    open.invoice = subscription.latest_invoice;
    open.url = null;
  });
  store.emit('checkout.session.completed', completed);
  return completed;
}
