/** A fake with plans to sell and a real client that is connected to it, for tests. */
import type { Stripe } from 'stripe';
import { connectClient } from '../connect-client.ts';
import { startStripeFake, type StripeFake, type StripeFakeOptions } from '../index.ts';

export interface ConnectedStripeFake {
  fake: StripeFake;
  stripe: Stripe;
}

export const START = new Date('2027-01-31T10:00:00Z');

export async function startConnectedFake(options: StripeFakeOptions = {}): Promise<ConnectedStripeFake> {
  const fake = await startStripeFake({ startsAt: START, ...options });
  const stripe = connectClient({ key: fake.key, url: fake.url });
  return { fake, stripe };
}

export interface Plans {
  plus: Stripe.Price;
  pro: Stripe.Price;
  proYearly: Stripe.Price;
}

export async function addPlans(stripe: Stripe): Promise<Plans> {
  const plus = await stripe.products.create({ name: 'Parley Plus' });
  const pro = await stripe.products.create({ name: 'Parley Pro' });
  const price = (product: string, amount: number, interval: 'month' | 'year') =>
    stripe.prices.create({ product, unit_amount: amount, currency: 'usd', recurring: { interval } });
  return {
    plus: await price(plus.id, 1_200, 'month'),
    pro: await price(pro.id, 2_400, 'month'),
    proYearly: await price(pro.id, 24_000, 'year'),
  };
}

/** A customer whose default card works. */
export async function addCustomer(stripe: Stripe, card = 'pm_card_visa'): Promise<Stripe.Customer> {
  const { id } = await stripe.customers.create({ email: 'ada@example.com' });
  const method = await stripe.paymentMethods.attach(card, { customer: id });
  return stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } });
}

/** Submits a page's form as a browser does, without following the redirect. */
export const sendForm = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

export function onlyItemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('the subscription has no item');
  return item;
}

export const isoDay = (atS: number | null | undefined): string | null =>
  typeof atS === 'number' ? new Date(atS * 1_000).toISOString().slice(0, 10) : null;

export const daysToMs = (count: number): number => count * 86_400_000;

/** Returns the error that the real client throws. */
export async function errorOf(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await request;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('the request succeeded');
}

/** Returns the id of a reference that was not expanded. */
export function requireId(reference: string | object | null | undefined): string {
  if (typeof reference !== 'string') throw new Error('the reference is not an id');
  return reference;
}
