/** Parameters of the sessions whose page Stripe hosts: checkout and the billing portal. */
import type { Stripe } from 'stripe';
import { email } from './customers.ts';
import { expand, onlyPaging, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { fields, flag, integer, listOf, needed, oneOf, someOf, text, unmodelled } from './shape.ts';

const lineItem = fields<Stripe.Checkout.SessionCreateParams.LineItem>()({
  adjustable_quantity: unmodelled,
  metadata,
  price: text,
  price_data: unmodelled,
  quantity: integer,
  tax_rates: unmodelled,
});

const trialSettings = fields<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings>()({
  end_behavior: needed(
    fields<Stripe.Checkout.SessionCreateParams.SubscriptionData.TrialSettings.EndBehavior>()({
      missing_payment_method: needed(oneOf('cancel', 'pause', 'create_invoice')),
    }),
  ),
});

const subscriptionData = fields<Stripe.Checkout.SessionCreateParams.SubscriptionData>()({
  application_fee_percent: unmodelled,
  billing_cycle_anchor: unmodelled,
  billing_cycle_anchor_config: unmodelled,
  billing_mode: unmodelled,
  default_tax_rates: unmodelled,
  description: text,
  invoice_settings: unmodelled,
  metadata,
  on_behalf_of: unmodelled,
  pending_invoice_item_interval: unmodelled,
  proration_behavior: unmodelled,
  transfer_data: unmodelled,
  trial_end: integer,
  trial_period_days: integer,
  trial_settings: trialSettings,
});

export const checkoutCreate = fields<Stripe.Checkout.SessionCreateParams>()({
  adaptive_pricing: unmodelled,
  after_expiration: unmodelled,
  allow_promotion_codes: flag,
  allowed_payment_method_types: unmodelled,
  automatic_tax: unmodelled,
  billing_address_collection: unmodelled,
  branding_settings: unmodelled,
  cancel_url: text,
  client_reference_id: text,
  consent_collection: unmodelled,
  currency: unmodelled,
  custom_fields: unmodelled,
  custom_text: unmodelled,
  customer: text,
  customer_account: unmodelled,
  customer_creation: unmodelled,
  customer_email: email,
  customer_update: unmodelled,
  discounts: unmodelled,
  excluded_payment_method_types: unmodelled,
  expand,
  expires_at: integer,
  integration_identifier: unmodelled,
  invoice_creation: unmodelled,
  line_items: listOf(lineItem),
  locale: text,
  managed_payments: unmodelled,
  metadata,
  mode: someOf(['subscription'], { unmodelled: ['payment', 'setup'] }),
  name_collection: unmodelled,
  optional_items: unmodelled,
  origin_context: unmodelled,
  payment_intent_data: unmodelled,
  payment_method_collection: oneOf('always', 'if_required'),
  payment_method_configuration: unmodelled,
  payment_method_data: unmodelled,
  payment_method_options: unmodelled,
  permissions: unmodelled,
  phone_number_collection: unmodelled,
  redirect_on_completion: unmodelled,
  return_url: unmodelled,
  saved_payment_method_options: unmodelled,
  setup_intent_data: unmodelled,
  shipping_address_collection: unmodelled,
  shipping_options: unmodelled,
  submit_type: unmodelled,
  subscription_data: subscriptionData,
  success_url: text,
  tax_id_collection: unmodelled,
  ui_mode: someOf(['hosted_page'], { unmodelled: ['elements', 'embedded_page', 'form'] }),
  wallet_options: unmodelled,
});

export const checkoutList = fields<Stripe.Checkout.SessionListParams>()({
  ...paging,
  created: range,
  customer: text,
  customer_account: unmodelled,
  customer_details: unmodelled,
  payment_intent: unmodelled,
  payment_link: unmodelled,
  status: oneOf('complete', 'expired', 'open'),
  subscription: text,
});

export const checkoutItems = onlyPaging;

export const portalCreate = fields<Stripe.BillingPortal.SessionCreateParams>()({
  after_expiration: unmodelled,
  configuration: unmodelled,
  customer: text,
  customer_account: unmodelled,
  expand,
  flow_data: unmodelled,
  locale: text,
  on_behalf_of: unmodelled,
  return_url: text,
});
