/** Parameters of subscriptions. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { either, emptyable, fields, flag, integer, listOf, needed, oneOf, someOf, text } from './shape.ts';

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
export const prorationBehavior = oneOf(...PRORATIONS);
export type ProrationBehavior = (typeof PRORATIONS)[number];

const createItem = fields<Stripe.SubscriptionCreateParams.Item>()({
  metadata,
  price: text,
  quantity: integer,
});

const updateItem = fields<Stripe.SubscriptionUpdateParams.Item>()({
  id: text,
  metadata: emptyable(metadata),
  price: text,
  quantity: integer,
});

export const trialSettings = fields<Stripe.SubscriptionCreateParams.TrialSettings>()({
  end_behavior: needed(
    fields<Stripe.SubscriptionCreateParams.TrialSettings.EndBehavior>()({
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
});

const cancelAt = either(integer, someOf(['min_period_end', 'max_period_end'], { unmodelled: ['max_billed_until'] }));

const paymentSettings = fields<Stripe.SubscriptionCreateParams.PaymentSettings>()({
  payment_method_types: emptyable(listOf(oneOf('card'))),
  save_default_payment_method: oneOf('off', 'on_subscription'),
});

const unmodelledAlike = {
  collection_method: someOf(['charge_automatically'], { unmodelled: ['send_invoice'] }),
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
  billing_mode: fields<Stripe.SubscriptionCreateParams.BillingMode>()({
    type: needed(someOf(['flexible'], { unmodelled: ['classic'] })),
  }),
  cancel_at: cancelAt,
  currency: text,
  customer: text,
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
  created: range,
  customer: text,
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
});

export const subscriptionCancel = fields<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetails,
  expand,
  invoice_now: flag,
  prorate: flag,
});
