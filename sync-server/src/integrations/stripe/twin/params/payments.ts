/** Parameters of invoices and of what is paid and paid back. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, flag, integer, oneOf, text } from './shape.ts';

export const invoiceList = fields<Stripe.InvoiceListParams>()({
  ...paging,
  created: range,
  customer: text,
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
  subscription: text,
});

export const invoicePay = fields<Stripe.InvoicePayParams>()({
  expand,
  off_session: flag,
  payment_method: text,
});

export const chargeList = fields<Stripe.ChargeListParams>()({
  ...paging,
  created: range,
  customer: text,
  payment_intent: text,
});

export const refundCreate = fields<Stripe.RefundCreateParams>()({
  amount: integer,
  charge: text,
  expand,
  metadata: emptyable(metadata),
  payment_intent: text,
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
});
