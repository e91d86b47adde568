/** Parameters of invoices, payments and refunds. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { clearable, objectOf, booleanParam, integer, enumOf, stringParam } from './param-schema.ts';

export const invoiceList = objectOf<Stripe.InvoiceListParams>()({
  ...paging,
  created: range,
  customer: stringParam,
  status: enumOf('draft', 'open', 'paid', 'uncollectible', 'void'),
  subscription: stringParam,
});

export const invoicePay = objectOf<Stripe.InvoicePayParams>()({
  expand,
  off_session: booleanParam,
  payment_method: stringParam,
});

export const chargeList = objectOf<Stripe.ChargeListParams>()({
  ...paging,
  created: range,
  customer: stringParam,
  payment_intent: stringParam,
});

export const refundCreate = objectOf<Stripe.RefundCreateParams>()({
  amount: integer,
  charge: stringParam,
  expand,
  metadata: clearable(metadata),
  payment_intent: stringParam,
  reason: enumOf('duplicate', 'fraudulent', 'requested_by_customer'),
});
