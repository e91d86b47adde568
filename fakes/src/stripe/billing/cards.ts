/** Finds the card that pays for a subscription and whether it declines. */
import type { PaymentMethodObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';

export function findCard(store: StripeStore, subscription: SubscriptionObject): PaymentMethodObject | undefined {
  const customer = store.find('customer', subscription.customer);
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null;
  const card = id === null ? undefined : store.find('payment_method', id);
  return card?.customer === subscription.customer ? card : undefined;
}

export const isDeclining = (store: StripeStore, card: PaymentMethodObject): boolean =>
  Object.hasOwn(store.state.decliningCards, card.id);

export function attachCard(
  store: StripeStore,
  card: PaymentMethodObject,
  { customer, isDefault }: { customer: string; isDefault: boolean },
): PaymentMethodObject {
  card.customer = customer;
  store.add('payment_method', card, 'payment_method.attached');
  if (isDefault) setDefaultCard(store, { customer, card: card.id });
  return card;
}

export const setDefaultCard = (
  store: StripeStore,
  { customer, card }: { customer: string; card: string | null },
): void =>
  void store.update('customer', customer, 'customer.updated', ({ invoice_settings: settings }) => {
    settings.default_payment_method = card;
  });
