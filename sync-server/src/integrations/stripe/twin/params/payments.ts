/** Parameters of invoices and of what is paid and paid back. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, flag, integer, needed, oneOf, someOf, text, unmodelled } from './shape.ts';

export const invoiceList = fields<Stripe.InvoiceListParams>()({
  ...paging,
  collection_method: unmodelled,
  created: range,
  customer: text,
  customer_account: unmodelled,
  due_date: unmodelled,
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
  subscription: text,
});

export const invoicePay = fields<Stripe.InvoicePayParams>()({
  expand,
  forgive: unmodelled,
  mandate: unmodelled,
  off_session: flag,
  paid_out_of_band: unmodelled,
  payment_method: text,
  source: unmodelled,
});

export const invoicePaymentList = fields<Stripe.InvoicePaymentListParams>()({
  ...paging,
  created: range,
  invoice: text,
  payment: fields<Stripe.InvoicePaymentListParams.Payment>()({
    payment_intent: text,
    payment_record: unmodelled,
    type: needed(someOf(['payment_intent'], { unmodelled: ['payment_record'] })),
  }),
  status: oneOf('canceled', 'open', 'paid'),
});

export const paymentIntentList = fields<Stripe.PaymentIntentListParams>()({
  ...paging,
  created: range,
  customer: text,
  customer_account: unmodelled,
});

export const chargeList = fields<Stripe.ChargeListParams>()({
  ...paging,
  created: range,
  customer: text,
  payment_intent: text,
  transfer_group: unmodelled,
});

export const refundCreate = fields<Stripe.RefundCreateParams>()({
  amount: integer,
  charge: text,
  currency: unmodelled,
  customer: unmodelled,
  expand,
  instructions_email: unmodelled,
  metadata: emptyable(metadata),
  origin: unmodelled,
  payment_intent: text,
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  refund_application_fee: unmodelled,
  reverse_transfer: unmodelled,
});

export const refundList = fields<Stripe.RefundListParams>()({
  ...paging,
  charge: text,
  created: range,
  payment_intent: text,
});
