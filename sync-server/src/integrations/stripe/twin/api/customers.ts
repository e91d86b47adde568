/** Customers and their cards. */
import { attachCard, useByDefault } from '../billing/cards.ts';
import { endSubscription, isEnded } from '../billing/end.ts';
import { newCard, newCustomer } from '../objects/customer.ts';
import { customerCreate, customerList, customerUpdate, paymentMethodAttach } from '../params/customers.ts';
import { nothing, onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { refuse, refuseCard, refuseMissing } from '../refused.ts';
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
  const { payment_method: card, invoice_settings: settings, email, name, description, phone, address } = params;
  const customer = newCustomer(
    {
      ...(email === undefined || email === '' ? {} : { email }),
      ...(name === undefined || name === '' ? {} : { name }),
      ...(description === undefined || description === '' ? {} : { description }),
      ...(phone === undefined || phone === '' ? {} : { phone }),
      ...(params.metadata === undefined ? {} : { metadata: mergeMetadata({}, params.metadata) }),
      ...(params.preferred_locales === undefined ? {} : { preferred_locales: params.preferred_locales }),
      address: address === undefined || address === '' ? null : { ...NO_ADDRESS, ...address },
    },
    world.now(),
  );
  customer.balance = params.balance ?? 0;
  const testCard = card === undefined ? null : usableCard(world, card);
  const chosen = settings?.default_payment_method;
  if (chosen !== undefined && chosen !== card)
    throw refuseMissing('PaymentMethod', chosen, {
      param: 'invoice_settings[default_payment_method]',
      status: 400,
    });
  world.add('customer', customer, 'customer.created');
  if (testCard === null) return customer;
  const attached = attachCard(world, testCard, { customer: customer.id, isDefault: false });
  if (chosen !== undefined) useByDefault(world, { customer: customer.id, card: attached.id });
  return customer;
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

function updateCustomer(world: World, params: Read<typeof customerUpdate>, id: string): CustomerObject {
  world.get('customer', id);
  const card = params.invoice_settings?.default_payment_method;
  if (
    card !== undefined &&
    world.named('payment_method', card, 'invoice_settings[default_payment_method]').customer !== id
  )
    throw refuse(`The payment method ${card} is not attached to this customer.`, { param: 'invoice_settings' });
  return world.change('customer', id, 'customer.updated', (customer) => {
    for (const name of ['email', 'name', 'description', 'phone'] as const) {
      const given = params[name];
      if (given !== undefined) customer[name] = given === '' ? null : given;
    }
    if (params.address !== undefined)
      customer.address = params.address === '' ? null : { ...NO_ADDRESS, ...params.address };
    if (params.balance !== undefined) customer.balance = params.balance;
    if (params.preferred_locales !== undefined) customer.preferred_locales = params.preferred_locales;
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
