/** Parameters of customers and their cards. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { refuse } from '../refused.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, type Shape, text } from './shape.ts';

export const email: Shape<string> = {
  read: (value, path) => {
    const read = text.read(value, path);
    if (!/^[^\s@]+@[^\s@]+$/.test(read))
      throw refuse(`Invalid email address: ${read}`, { code: 'email_invalid', param: path });
    return read;
  },
};

const shared = {
  description: emptyable(text),
  email: emptyable(email),
  expand,
  metadata: emptyable(metadata),
  name: emptyable(text),
};

export const customerCreate = fields<Stripe.CustomerCreateParams>()(shared);

export const customerUpdate = fields<Stripe.CustomerUpdateParams>()({
  ...shared,
  invoice_settings: fields<Stripe.CustomerUpdateParams.InvoiceSettings>()({ default_payment_method: text }),
});

export const customerList = fields<Stripe.CustomerListParams>()({
  ...paging,
  created: range,
  email: text,
});

export const paymentMethodAttach = fields<Stripe.PaymentMethodAttachParams>()({
  customer: text,
  expand,
});
