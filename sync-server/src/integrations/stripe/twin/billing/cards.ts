/** Whose card is asked for money, and whether it gives any. */
import type { PaymentMethodObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';

export function cardOf(world: World, subscription: SubscriptionObject): PaymentMethodObject | undefined {
  const customer = world.find('customer', subscription.customer);
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null;
  const card = id === null ? undefined : world.find('payment_method', id);
  return card?.customer === subscription.customer ? card : undefined;
}

export const isDeclining = (world: World, card: PaymentMethodObject): boolean =>
  Object.hasOwn(world.state.decliningCards, card.id);

export function attachCard(
  world: World,
  card: PaymentMethodObject,
  { customer, isDefault }: { customer: string; isDefault: boolean },
): PaymentMethodObject {
  card.customer = customer;
  world.add('payment_method', card, 'payment_method.attached');
  if (isDefault) useByDefault(world, { customer, card: card.id });
  return card;
}

export const useByDefault = (world: World, { customer, card }: { customer: string; card: string | null }): void =>
  void world.change('customer', customer, 'customer.updated', ({ invoice_settings: settings }) => {
    settings.default_payment_method = card;
  });
