/** A twin with plans to sell, asked by the real client, for tests. */
import type { Stripe } from 'stripe';
import { connectStripe } from '../../connect-stripe.ts';
import { startStripeTwin, type StripeTwin, type StripeTwinOptions } from '../index.ts';

export interface Begun {
  twin: StripeTwin;
  stripe: Stripe;
}

export const START = new Date('2027-01-31T10:00:00Z');

export async function beginTwin(options: StripeTwinOptions = {}): Promise<Begun> {
  const twin = await startStripeTwin({ startsAt: START, ...options });
  const stripe = connectStripe({ secretKey: twin.key, address: new URL(twin.url), maxNetworkRetries: 0 });
  return { twin, stripe };
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

/** A customer whose card works, and pays by default. */
export async function addCustomer(stripe: Stripe, card = 'pm_card_visa'): Promise<Stripe.Customer> {
  const { id } = await stripe.customers.create({ email: 'ada@example.com' });
  const method = await stripe.paymentMethods.attach(card, { customer: id });
  return stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } });
}

/** Sends a page's form as a browser does, and does not follow where it leads. */
export const sendForm = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('A subscription has an item');
  return item;
}

export const isoDay = (atS: number | null | undefined): string | null =>
  typeof atS === 'number' ? new Date(atS * 1_000).toISOString().slice(0, 10) : null;

export const inDays = (count: number): number => count * 86_400_000;

/** What went wrong, as the real client says it. */
export async function errorOf(asked: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await asked;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('It went well');
}

/** Of something that is not expanded. */
export function idOf(reference: string | object | null | undefined): string {
  if (typeof reference !== 'string') throw new Error('This is no id');
  return reference;
}
