/** Parameters of the sessions whose page Stripe hosts: checkout and the billing portal. */
import type { Stripe } from 'stripe';
import { email } from './customers.ts';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import {
  objectOf,
  booleanParam,
  integer,
  listOf,
  required,
  enumOf,
  supportedValue,
  stringParam,
} from './param-schema.ts';

const lineItem = objectOf<Stripe.Checkout.SessionCreateParams.LineItem>()({
  metadata,
  price: stringParam,
  quantity: integer,
});

const trialSettings = objectOf<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings>()({
  end_behavior: required(
    objectOf<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings.EndBehavior>()({
      missing_payment_method: required(enumOf('cancel', 'pause', 'create_invoice')),
    }),
  ),
});

const subscriptionData = objectOf<Stripe.Checkout.SessionCreateParams.SubscriptionData>()({
  description: stringParam,
  metadata,
  trial_end: integer,
  trial_period_days: integer,
  trial_settings: trialSettings,
});

export const checkoutCreate = objectOf<Stripe.Checkout.SessionCreateParams>()({
  allow_promotion_codes: booleanParam,
  cancel_url: stringParam,
  client_reference_id: stringParam,
  customer: stringParam,
  customer_email: email,
  expand,
  expires_at: integer,
  line_items: listOf(lineItem),
  locale: stringParam,
  metadata,
  mode: supportedValue(['subscription'], { unmodelled: ['payment', 'setup'] }),
  payment_method_collection: enumOf('always', 'if_required'),
  subscription_data: subscriptionData,
  success_url: stringParam,
  ui_mode: supportedValue(['hosted_page'], { unmodelled: ['elements', 'embedded_page', 'form'] }),
});

export const checkoutList = objectOf<Stripe.Checkout.SessionListParams>()({
  ...paging,
  created: range,
  customer: stringParam,
  status: enumOf('complete', 'expired', 'open'),
  subscription: stringParam,
});

export const portalCreate = objectOf<Stripe.BillingPortal.SessionCreateParams>()({
  customer: stringParam,
  expand,
  locale: stringParam,
  return_url: stringParam,
});
