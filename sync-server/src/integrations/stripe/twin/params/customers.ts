/** Parameters of customers and their cards. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { refuse } from '../refused.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, integer, listOf, oneOf, type Shape, text, unmodelled } from './shape.ts';

export const email: Shape<string> = {
  read: (value, path) => {
    const read = text.read(value, path);
    if (!/^[^\s@]+@[^\s@]+$/.test(read))
      throw refuse(`Invalid email address: ${read}`, { code: 'email_invalid', param: path });
    return read;
  },
};

const address = fields<Stripe.AddressParam>()({
  city: text,
  country: text,
  line1: text,
  line2: text,
  postal_code: text,
  state: text,
});

const shared = {
  address: emptyable(address),
  balance: integer,
  business_name: unmodelled,
  cash_balance: unmodelled,
  description: emptyable(text),
  email: emptyable(email),
  expand,
  individual_name: unmodelled,
  invoice_prefix: unmodelled,
  invoice_settings: fields<Stripe.CustomerUpdateParams.InvoiceSettings>()({
    custom_fields: unmodelled,
    default_payment_method: text,
    footer: unmodelled,
    rendering_options: unmodelled,
  }),
  metadata: emptyable(metadata),
  name: emptyable(text),
  next_invoice_sequence: unmodelled,
  phone: emptyable(text),
  preferred_locales: listOf(text),
  shipping: unmodelled,
  source: unmodelled,
  tax: unmodelled,
  tax_exempt: unmodelled,
  validate: unmodelled,
};

export const customerCreate = fields<Stripe.CustomerCreateParams>()({
  ...shared,
  payment_method: text,
  tax_id_data: unmodelled,
  test_clock: unmodelled,
});

export const customerUpdate = fields<Stripe.CustomerUpdateParams>()({ ...shared, default_source: unmodelled });

export const customerList = fields<Stripe.CustomerListParams>()({
  ...paging,
  created: range,
  email: text,
  test_clock: unmodelled,
});

export const paymentMethodAttach = fields<Stripe.PaymentMethodAttachParams>()({
  customer: text,
  customer_account: unmodelled,
  expand,
});

const cardType = oneOf('card');

export const paymentMethodList = fields<Stripe.PaymentMethodListParams>()({
  ...paging,
  allow_redisplay: unmodelled,
  customer: text,
  customer_account: unmodelled,
  type: cardType,
});

export const customerPaymentMethodList = fields<Stripe.CustomerListPaymentMethodsParams>()({
  ...paging,
  allow_redisplay: unmodelled,
  type: cardType,
});
