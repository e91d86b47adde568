/** Parameters of the sessions whose page Stripe hosts: checkout and the billing portal. */
import type { Stripe } from 'stripe';
import { email } from './customers.ts';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { fields, flag, integer, listOf, needed, oneOf, someOf, text } from './shape.ts';

const lineItem = fields<Stripe.Checkout.SessionCreateParams.LineItem>()({
  metadata,
  price: text,
  quantity: integer,
});

const trialSettings = fields<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings>()({
  end_behavior: needed(
    fields<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings.EndBehavior>()({
      missing_payment_method: needed(oneOf('cancel', 'pause', 'create_invoice')),
    }),
  ),
});

const subscriptionData = fields<Stripe.Checkout.SessionCreateParams.SubscriptionData>()({
  description: text,
  metadata,
  trial_end: integer,
  trial_period_days: integer,
  trial_settings: trialSettings,
});

export const checkoutCreate = fields<Stripe.Checkout.SessionCreateParams>()({
  allow_promotion_codes: flag,
  cancel_url: text,
  client_reference_id: text,
  customer: text,
  customer_email: email,
  expand,
  expires_at: integer,
  line_items: listOf(lineItem),
  locale: text,
  metadata,
  mode: someOf(['subscription'], { unmodelled: ['payment', 'setup'] }),
  payment_method_collection: oneOf('always', 'if_required'),
  subscription_data: subscriptionData,
  success_url: text,
  ui_mode: someOf(['hosted_page'], { unmodelled: ['elements', 'embedded_page', 'form'] }),
});

export const checkoutList = fields<Stripe.Checkout.SessionListParams>()({
  ...paging,
  created: range,
  customer: text,
  status: oneOf('complete', 'expired', 'open'),
  subscription: text,
});

export const portalCreate = fields<Stripe.BillingPortal.SessionCreateParams>()({
  customer: text,
  expand,
  locale: text,
  return_url: text,
});
