/** Parameters of subscriptions. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import {
  either,
  clearable,
  objectOf,
  booleanParam,
  integer,
  listOf,
  required,
  enumOf,
  supportedValue,
  stringParam,
} from './param-schema.ts';

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
export const prorationBehavior = enumOf(...PRORATIONS);
export type ProrationBehavior = (typeof PRORATIONS)[number];

const createItem = objectOf<Stripe.SubscriptionCreateParams.Item>()({
  metadata,
  price: stringParam,
  quantity: integer,
});

const updateItem = objectOf<Stripe.SubscriptionUpdateParams.Item>()({
  id: stringParam,
  metadata: clearable(metadata),
  price: stringParam,
  quantity: integer,
});

export const trialSettings = objectOf<Stripe.SubscriptionCreateParams.TrialSettings>()({
  end_behavior: required(
    objectOf<Stripe.SubscriptionCreateParams.TrialSettings.EndBehavior>()({
      missing_payment_method: enumOf('cancel', 'pause', 'create_invoice'),
    }),
  ),
});

const cancellationDetails = objectOf<Stripe.SubscriptionUpdateParams.CancellationDetails>()({
  comment: clearable(stringParam),
  feedback: clearable(
    enumOf(
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

const cancelAt = either(
  integer,
  supportedValue(['min_period_end', 'max_period_end'], { unmodelled: ['max_billed_until'] }),
);

const paymentSettings = objectOf<Stripe.SubscriptionCreateParams.PaymentSettings>()({
  payment_method_types: clearable(listOf(enumOf('card'))),
  save_default_payment_method: enumOf('off', 'on_subscription'),
});

const partlySupportedFields = {
  collection_method: supportedValue(['charge_automatically'], { unmodelled: ['send_invoice'] }),
};

const sharedFields = {
  ...partlySupportedFields,
  cancel_at_period_end: booleanParam,
  default_payment_method: stringParam,
  expand,
  metadata: clearable(metadata),
  off_session: booleanParam,
  payment_settings: paymentSettings,
  proration_behavior: prorationBehavior,
  trial_end: either(integer, enumOf('now')),
  trial_settings: trialSettings,
};

export const subscriptionCreate = objectOf<Stripe.SubscriptionCreateParams>()({
  ...sharedFields,
  billing_mode: objectOf<Stripe.SubscriptionCreateParams.BillingMode>()({
    type: required(supportedValue(['flexible'], { unmodelled: ['classic'] })),
  }),
  cancel_at: cancelAt,
  currency: stringParam,
  customer: stringParam,
  description: stringParam,
  items: listOf(createItem),
  payment_behavior: supportedValue(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'], {
    unmodelled: ['pending_if_incomplete'],
  }),
  trial_period_days: integer,
});

export const subscriptionUpdate = objectOf<Stripe.SubscriptionUpdateParams>()({
  ...sharedFields,
  billing_cycle_anchor: objectOf<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>()({
    type: required(enumOf('now', 'unchanged')),
  }),
  cancel_at: clearable(cancelAt),
  cancellation_details: cancellationDetails,
  description: clearable(stringParam),
  items: listOf(updateItem),
  pause_collection: clearable(
    objectOf<Stripe.SubscriptionUpdateParams.PauseCollection>()({
      behavior: required(enumOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer,
    }),
  ),
  payment_behavior: supportedValue(['allow_incomplete', 'error_if_incomplete'], {
    unmodelled: ['default_incomplete', 'pending_if_incomplete'],
  }),
  proration_date: integer,
});

export const subscriptionList = objectOf<Stripe.SubscriptionListParams>()({
  ...paging,
  created: range,
  customer: stringParam,
  price: stringParam,
  status: enumOf(
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

export const subscriptionCancel = objectOf<Stripe.SubscriptionCancelParams>()({
  cancellation_details: cancellationDetails,
  expand,
  invoice_now: booleanParam,
  prorate: booleanParam,
});
