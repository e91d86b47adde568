/** Customers and their cards. */
import { attachCard } from '../billing/cards.ts';
import { endSubscription, isEnded } from '../billing/end.ts';
import { newCard, newCustomer } from '../objects/customer.ts';
import { customerCreate, customerList, customerUpdate, paymentMethodAttach } from '../params/customers.ts';
import { nothing, onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { refuse, refuseCard } from '../refused.ts';
import type { CustomerObject, PaymentMethodObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const customerRoutes = [
  route('POST /v1/customers', customerCreate, createCustomer),
  route('GET /v1/customers', customerList, (world, params) =>
    newestPage(
      world
        .all('customer')
        .filter(({ email, created }) => fits(email, params.email) && isWithin(created, params.created)),
      params,
      '/v1/customers',
    ),
  ),
  route('GET /v1/customers/:id', onlyExpand, (world, _, id) =>
    Object.hasOwn(world.state.deletedCustomers, id) ? deleted(id) : world.get('customer', id),
  ),
  route('POST /v1/customers/:id', customerUpdate, updateCustomer),
  route('DELETE /v1/customers/:id', nothing, deleteCustomer),
  route('POST /v1/payment_methods/:id/attach', paymentMethodAttach, attach),
];

const deleted = (id: string) => ({ id, object: 'customer', deleted: true });

function createCustomer(world: World, params: Read<typeof customerCreate>): CustomerObject {
  const { email, name, description } = params;
  const customer = newCustomer(
    {
      ...(email === undefined || email === '' ? {} : { email }),
      ...(name === undefined || name === '' ? {} : { name }),
      ...(description === undefined || description === '' ? {} : { description }),
      ...(params.metadata === undefined ? {} : { metadata: mergeMetadata({}, params.metadata) }),
    },
    world.now(),
  );
  return world.add('customer', customer, 'customer.created');
}

function updateCustomer(world: World, params: Read<typeof customerUpdate>, id: string): CustomerObject {
  world.get('customer', id);
  const card = params.invoice_settings?.default_payment_method;
  if (
    card !== undefined &&
    world.named('payment_method', card, 'invoice_settings[default_payment_method]').customer !== id
  )
    throw refuse(`The payment method ${card} is not attached to this customer.`, { param: 'invoice_settings' });
  return world.change('customer', id, 'customer.updated', (customer) => {
    for (const name of ['email', 'name', 'description'] as const) {
      const given = params[name];
      if (given !== undefined) customer[name] = given === '' ? null : given;
    }
    if (card !== undefined) customer.invoice_settings.default_payment_method = card;
    customer.metadata = mergeMetadata(customer.metadata, params.metadata);
  });
}

function deleteCustomer(world: World, _: unknown, id: string): object {
  const customer = world.get('customer', id);
  for (const subscription of world.all('subscription'))
    if (subscription.customer === id && !isEnded(subscription))
      endSubscription(world, subscription.id, { reason: 'cancellation_requested' });
  delete world.state.tables.customer[id];
  world.state.deletedCustomers[id] = true;
  world.emit('customer.deleted', customer);
  return deleted(id);
}

/** Stripe's ready-made test cards: one that pays, one that is taken and then declines. */
const TEST_CARDS: Readonly<Record<string, { declines: boolean }>> = {
  pm_card_visa: { declines: false },
  pm_card_chargeCustomerFail: { declines: true },
};

function usableCard(world: World, id: string): PaymentMethodObject {
  if (id === 'pm_card_chargeDeclined') throw refuseCard();
  const test = TEST_CARDS[id];
  if (test === undefined) return world.named('payment_method', id, 'payment_method');
  const card = newCard(null, { email: null, now: world.now() });
  if (test.declines) world.state.decliningCards[card.id] = true;
  return card;
}

function attach(world: World, { customer }: Read<typeof paymentMethodAttach>, id: string): PaymentMethodObject {
  if (customer === undefined)
    throw refuse('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  world.named('customer', customer, 'customer');
  return attachCard(world, usableCard(world, id), { customer, isDefault: false });
}
