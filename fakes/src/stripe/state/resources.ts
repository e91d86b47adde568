/** The stored objects as they are sent: references are ids and decimals are strings. */
import type { Stripe } from 'stripe';

/** Narrows fields to ids where Stripe's types also allow the expanded object. */
type WithIds<T, Field extends keyof T> = Omit<T, Field> & { [K in Field]: Extract<T[K], string | null> };
export type ListOf<T> = Stripe.ApiList<T>;

export type ProductObject = WithIds<Stripe.Product, 'default_price'> & { default_price: string | null };
export type PriceObject = WithIds<
  Omit<Stripe.Price, 'unit_amount_decimal' | 'currency_options' | 'tiers'>,
  'product'
> & {
  unit_amount_decimal: string | null;
};
export type PlanObject = WithIds<Omit<Stripe.Plan, 'amount_decimal' | 'tiers'>, 'product'> & {
  amount_decimal: string | null;
};
export type CustomerObject = Omit<Stripe.Customer, 'invoice_settings' | 'subscriptions'> & {
  balance: number;
  invoice_settings: Omit<Stripe.Customer.InvoiceSettings, 'default_payment_method'> & {
    default_payment_method: string | null;
  };
  next_invoice_sequence: number;
  invoice_prefix: string;
};
export type PaymentMethodObject = WithIds<Stripe.PaymentMethod, 'customer'>;
export type SubscriptionItemObject = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & {
  price: PriceObject;
  plan: PlanObject;
  quantity: number;
};
export type SubscriptionObject = Omit<
  WithIds<Stripe.Subscription, 'customer' | 'default_payment_method' | 'latest_invoice' | 'schedule'>,
  'items'
> & { items: ListOf<SubscriptionItemObject> };
export type InvoiceLineObject = Omit<Stripe.InvoiceLineItem, 'quantity_decimal' | 'pricing'> & {
  quantity_decimal: string | null;
  pricing: Omit<Stripe.InvoiceLineItem.Pricing, 'unit_amount_decimal'> & { unit_amount_decimal: string | null };
};
export type InvoiceObject = Omit<
  WithIds<Stripe.Invoice, 'customer' | 'default_payment_method'>,
  'lines' | 'payments'
> & { lines: ListOf<InvoiceLineObject>; customer: string };
export type InvoicePaymentObject = WithIds<Stripe.InvoicePayment, 'invoice'>;
export type PaymentIntentObject = Omit<
  WithIds<Stripe.PaymentIntent, 'customer' | 'latest_charge' | 'payment_method'>,
  'last_payment_error'
> & { last_payment_error: Record<string, unknown> | null };
export type ChargeObject = Omit<WithIds<Stripe.Charge, 'customer' | 'payment_intent'>, 'refunds'> & {
  refunds: ListOf<RefundObject>;
};
export type RefundObject = WithIds<Stripe.Refund, 'charge' | 'payment_intent'>;
export type CheckoutSessionObject = Omit<
  WithIds<Stripe.Checkout.Session, 'customer' | 'subscription' | 'invoice'>,
  'line_items' | 'currency_conversion'
> & { currency_conversion: null };
export type CheckoutItemObject = Omit<Stripe.LineItem, 'price'> & { price: PriceObject };
export type PortalSessionObject = Stripe.BillingPortal.Session;
export type ScheduleObject = WithIds<Stripe.SubscriptionSchedule, 'customer' | 'subscription'>;
export type WebhookEndpointObject = Stripe.WebhookEndpoint;
export type EventObject = Stripe.EventBase & { data: { object: object; previous_attributes?: object } };

export interface Resources {
  product: ProductObject;
  price: PriceObject;
  customer: CustomerObject;
  payment_method: PaymentMethodObject;
  subscription: SubscriptionObject;
  subscription_schedule: ScheduleObject;
  invoice: InvoiceObject;
  invoice_payment: InvoicePaymentObject;
  payment_intent: PaymentIntentObject;
  charge: ChargeObject;
  refund: RefundObject;
  'checkout.session': CheckoutSessionObject;
  'billing_portal.session': PortalSessionObject;
  webhook_endpoint: WebhookEndpointObject;
  event: EventObject;
}
export type Kind = keyof Resources;

/** Stripe's name of each kind in messages, and the prefix of its ids. */
export const KINDS = {
  product: { noun: 'product', prefix: 'prod_' },
  price: { noun: 'price', prefix: 'price_' },
  customer: { noun: 'customer', prefix: 'cus_' },
  payment_method: { noun: 'PaymentMethod', prefix: 'pm_' },
  subscription: { noun: 'subscription', prefix: 'sub_' },
  subscription_schedule: { noun: 'subscription_schedule', prefix: 'sub_sched_' },
  invoice: { noun: 'invoice', prefix: 'in_' },
  invoice_payment: { noun: 'invoice_payment', prefix: 'inpay_' },
  payment_intent: { noun: 'payment_intent', prefix: 'pi_' },
  charge: { noun: 'charge', prefix: 'ch_' },
  refund: { noun: 'refund', prefix: 're_' },
  'checkout.session': { noun: 'checkout.session', prefix: 'cs_test_' },
  'billing_portal.session': { noun: 'billing_portal.session', prefix: 'bps_' },
  webhook_endpoint: { noun: 'webhook endpoint', prefix: 'we_' },
  event: { noun: 'event', prefix: 'evt_' },
} as const satisfies Record<Kind, { noun: string; prefix: string }>;
