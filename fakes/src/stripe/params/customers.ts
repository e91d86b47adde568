/** Parameters of customers and their cards. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { invalidRequest } from '../api-error.ts';
import { metadata } from './metadata.ts';
import { clearable, objectOf, type ParamSchema, stringParam } from './param-schema.ts';

export const email: ParamSchema<string> = {
  read: (value, path) => {
    const read = stringParam.read(value, path);
    if (!/^[^\s@]+@[^\s@]+$/.test(read))
      throw invalidRequest(`Invalid email address: ${read}`, { code: 'email_invalid', param: path });
    return read;
  },
};

const shared = {
  description: clearable(stringParam),
  email: clearable(email),
  expand,
  metadata: clearable(metadata),
  name: clearable(stringParam),
};

export const customerCreate = objectOf<Stripe.CustomerCreateParams>()(shared);

export const customerUpdate = objectOf<Stripe.CustomerUpdateParams>()({
  ...shared,
  invoice_settings: objectOf<Stripe.CustomerUpdateParams.InvoiceSettings>()({ default_payment_method: stringParam }),
});

export const customerList = objectOf<Stripe.CustomerListParams>()({
  ...paging,
  created: range,
  email: stringParam,
});

export const paymentMethodAttach = objectOf<Stripe.PaymentMethodAttachParams>()({
  customer: stringParam,
  expand,
});
