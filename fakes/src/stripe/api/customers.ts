/** The API of customers and their cards. */
import { attachCard } from '../billing/cards.ts';
import { endSubscription, isEnded } from '../billing/end-subscription.ts';
import { newCard, newCustomer } from '../objects/customer.ts';
import { customerCreate, customerList, customerUpdate, paymentMethodAttach } from '../params/customers.ts';
import { nothing, onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { invalidRequest, cardDeclined } from '../api-error.ts';
import type { CustomerObject, PaymentMethodObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { matches, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const customerRoutes = [
  route('POST /v1/customers', customerCreate, createCustomer),
  route('GET /v1/customers', customerList, (store, params) =>
    newestPage(
      store
        .all('customer')
        .filter(({ email, created }) => matches(email, params.email) && isWithin(created, params.created)),
      params,
      '/v1/customers',
    ),
  ),
  route('GET /v1/customers/:id', onlyExpand, (store, _, id) =>
    Object.hasOwn(store.state.deletedCustomers, id) ? deleted(id) : store.get('customer', id),
  ),
  route('POST /v1/customers/:id', customerUpdate, updateCustomer),
  route('DELETE /v1/customers/:id', nothing, deleteCustomer),
  route('POST /v1/payment_methods/:id/attach', paymentMethodAttach, attach),
];

const deleted = (id: string) => ({ id, object: 'customer', deleted: true });

function createCustomer(store: StripeStore, params: ParamsOf<typeof customerCreate>): CustomerObject {
  const { email, name, description } = params;
  const customer = newCustomer(
    {
      ...(email === undefined || email === '' ? {} : { email }),
      ...(name === undefined || name === '' ? {} : { name }),
      ...(description === undefined || description === '' ? {} : { description }),
      ...(params.metadata === undefined ? {} : { metadata: mergeMetadata({}, params.metadata) }),
    },
    store.currentFields(),
  );
  return store.add('customer', customer, 'customer.created');
}

function updateCustomer(store: StripeStore, params: ParamsOf<typeof customerUpdate>, id: string): CustomerObject {
  store.get('customer', id);
  const card = params.invoice_settings?.default_payment_method;
  if (
    card !== undefined &&
    store.getByParam('payment_method', card, 'invoice_settings[default_payment_method]').customer !== id
  )
    throw invalidRequest(`The payment method ${card} is not attached to this customer.`, { param: 'invoice_settings' });
  return store.update('customer', id, 'customer.updated', (customer) => {
    for (const name of ['email', 'name', 'description'] as const) {
      const given = params[name];
      if (given !== undefined) customer[name] = given === '' ? null : given;
    }
    if (card !== undefined) customer.invoice_settings.default_payment_method = card;
    customer.metadata = mergeMetadata(customer.metadata, params.metadata);
  });
}

function deleteCustomer(store: StripeStore, _: unknown, id: string): object {
  const customer = store.get('customer', id);
  for (const subscription of store.all('subscription'))
    if (subscription.customer === id && !isEnded(subscription))
      endSubscription(store, subscription.id, { reason: 'cancellation_requested' });
  delete store.state.tables.customer[id];
  store.state.deletedCustomers[id] = true;
  store.emit('customer.deleted', customer);
  return deleted(id);
}

/** Stripe's test cards: one pays, one is accepted and then declines. */
const TEST_CARDS: Readonly<Record<string, { declines: boolean }>> = {
  pm_card_visa: { declines: false },
  pm_card_chargeCustomerFail: { declines: true },
};

function usableCard(store: StripeStore, id: string): PaymentMethodObject {
  if (id === 'pm_card_chargeDeclined') throw cardDeclined();
  const test = TEST_CARDS[id];
  if (test === undefined) return store.getByParam('payment_method', id, 'payment_method');
  const card = newCard(null, { email: null, now: store.currentFields() });
  if (test.declines) store.state.decliningCards[card.id] = true;
  return card;
}

function attach(
  store: StripeStore,
  { customer }: ParamsOf<typeof paymentMethodAttach>,
  id: string,
): PaymentMethodObject {
  if (customer === undefined)
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  store.getByParam('customer', customer, 'customer');
  return attachCard(store, usableCard(store, id), { customer, isDefault: false });
}
