/** Parameters of subscriptions. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { either, emptyable, fields, flag, integer, listOf, needed, oneOf, someOf, text, unmodelled } from './shape.ts';

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
export const prorationBehavior = oneOf(...PRORATIONS);
export type ProrationBehavior = (typeof PRORATIONS)[number];

const createItem = fields<Stripe.SubscriptionCreateParams.Item>()({
  billing_thresholds: unmodelled,
  current_trial: unmodelled,
  discounts: unmodelled,
  metadata,
  plan: unmodelled,
  price: text,
  price_data: unmodelled,
  quantity: integer,
  tax_rates: unmodelled,
});

const updateItem = fields<Stripe.SubscriptionUpdateParams.Item>()({
  billing_thresholds: unmodelled,
  clear_usage: unmodelled,
  current_trial: unmodelled,
  deleted: unmodelled,
  discounts: unmodelled,
  id: text,
  metadata: emptyable(metadata),
  plan: unmodelled,
  price: text,
  price_data: unmodelled,
  quantity: integer,
  tax_rates: unmodelled,
});

export const trialSettings = fields<Stripe.SubscriptionCreateParams.TrialSettings>()({
  end_behavior: needed(
    fields<Stripe.SubscriptionCreateParams.TrialSettings.EndBehavior>()({
      billing_cycle_anchor: unmodelled,
      missing_payment_method: oneOf('cancel', 'pause', 'create_invoice'),
    }),
  ),
});

const cancellationDetails = fields<Stripe.SubscriptionUpdateParams.CancellationDetails>()({
  comment: emptyable(text),
  feedback: emptyable(
    oneOf(
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ),
  ),
  feedback_option: unmodelled,
});

const cancelAt = either(integer, someOf(['min_period_end', 'max_period_end'], { unmodelled: ['max_billed_until'] }));

const paymentSettings = fields<Stripe.SubscriptionCreateParams.PaymentSettings>()({
  payment_method_options: unmodelled,
  payment_method_types: emptyable(listOf(oneOf('card'))),
  save_default_payment_method: oneOf('off', 'on_subscription'),
});

const unmodelledAlike = {
  add_invoice_items: unmodelled,
  application_fee_percent: unmodelled,
  automatic_tax: unmodelled,
  billing_schedules: unmodelled,
  billing_thresholds: unmodelled,
  collection_method: someOf(['charge_automatically'], { unmodelled: ['send_invoice'] }),
  days_until_due: unmodelled,
  default_source: unmodelled,
  default_tax_rates: unmodelled,
  discounts: unmodelled,
  invoice_settings: unmodelled,
  on_behalf_of: unmodelled,
  pending_invoice_item_interval: unmodelled,
  transfer_data: unmodelled,
  trial_from_plan: unmodelled,
};

const alike = {
  ...unmodelledAlike,
  cancel_at_period_end: flag,
  default_payment_method: text,
  expand,
  metadata: emptyable(metadata),
  off_session: flag,
  payment_settings: paymentSettings,
  proration_behavior: prorationBehavior,
  trial_end: either(integer, oneOf('now')),
  trial_settings: trialSettings,
};

export const subscriptionCreate = fields<Stripe.SubscriptionCreateParams>()({
  ...alike,
  backdate_start_date: unmodelled,
  billing_cycle_anchor: unmodelled,
  billing_cycle_anchor_config: unmodelled,
  billing_mode: fields<Stripe.SubscriptionCreateParams.BillingMode>()({
    flexible: unmodelled,
    type: needed(someOf(['flexible'], { unmodelled: ['classic'] })),
  }),
  cancel_at: cancelAt,
  currency: text,
  customer: text,
  customer_account: unmodelled,
  description: text,
  items: listOf(createItem),
  payment_behavior: someOf(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'], {
    unmodelled: ['pending_if_incomplete'],
  }),
  trial_period_days: integer,
});

export const subscriptionUpdate = fields<Stripe.SubscriptionUpdateParams>()({
  ...alike,
  billing_cycle_anchor: fields<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>()({
    type: needed(oneOf('now', 'unchanged')),
  }),
  cancel_at: emptyable(cancelAt),
  cancellation_details: cancellationDetails,
  description: emptyable(text),
  items: listOf(updateItem),
  pause_collection: emptyable(
    fields<Stripe.SubscriptionUpdateParams.PauseCollection>()({
      behavior: needed(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer,
    }),
  ),
  payment_behavior: someOf(['allow_incomplete', 'error_if_incomplete'], {
    unmodelled: ['default_incomplete', 'pending_if_incomplete'],
  }),
  proration_date: integer,
});

export const subscriptionList = fields<Stripe.SubscriptionListParams>()({
  ...paging,
  automatic_tax: unmodelled,
  collection_method: unmodelled,
  created: range,
  current_period_end: unmodelled,
  current_period_start: unmodelled,
  customer: text,
  customer_account: unmodelled,
  plan: unmodelled,
  price: text,
  status: oneOf(
    'active',
    'all',
    'canceled',
    'ended',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ),
  test_clock: unmodelled,
});

export const subscriptionCancel = fields<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetails,
  expand,
  invoice_now: flag,
  prorate: flag,
});

export const subscriptionResume = fields<Stripe.SubscriptionResumeParams>()({
  billing_cycle_anchor: fields<Stripe.SubscriptionResumeParams.BillingCycleAnchor>()({
    type: needed(someOf(['now'], { unmodelled: ['unchanged'] })),
  }),
  expand,
  payment_behavior: unmodelled,
  proration_behavior: prorationBehavior,
  proration_date: unmodelled,
});
