/** Parameters of subscription schedules: as much as a change of price at the end of a period needs. */
import type { Stripe } from 'stripe';
import { expand, paging } from './lists.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, integer, listOf, needed, oneOf, someOf, text, unmodelled } from './shape.ts';
import { prorationBehavior } from './subscriptions.ts';

const endBehavior = someOf(['release', 'cancel'], { unmodelled: ['none', 'renew'] });

export const scheduleCreate = fields<Stripe.SubscriptionScheduleCreateParams>()({
  billing_mode: unmodelled,
  customer: unmodelled,
  customer_account: unmodelled,
  default_settings: unmodelled,
  end_behavior: unmodelled,
  expand,
  from_subscription: text,
  metadata: emptyable(metadata),
  pause_schedules: unmodelled,
  phases: unmodelled,
  start_date: unmodelled,
});

const phaseItem = fields<Stripe.SubscriptionScheduleUpdateParams.Phase.Item>()({
  billing_thresholds: unmodelled,
  discounts: unmodelled,
  metadata: unmodelled,
  plan: unmodelled,
  price: text,
  price_data: unmodelled,
  quantity: integer,
  tax_rates: unmodelled,
});

const phase = fields<Stripe.SubscriptionScheduleUpdateParams.Phase>()({
  add_invoice_items: unmodelled,
  application_fee_percent: unmodelled,
  automatic_tax: unmodelled,
  billing_cycle_anchor: unmodelled,
  billing_thresholds: unmodelled,
  collection_method: unmodelled,
  currency: unmodelled,
  default_payment_method: unmodelled,
  default_tax_rates: unmodelled,
  description: unmodelled,
  discounts: unmodelled,
  duration: fields<Stripe.SubscriptionScheduleUpdateParams.Phase.Duration>()({
    interval: needed(oneOf('day', 'week', 'month', 'year')),
    interval_count: integer,
  }),
  end_date: integer,
  invoice_settings: unmodelled,
  items: needed(listOf(phaseItem)),
  metadata,
  on_behalf_of: unmodelled,
  proration_behavior: prorationBehavior,
  start_date: integer,
  transfer_data: unmodelled,
  trial: unmodelled,
  trial_end: unmodelled,
});

export const scheduleUpdate = fields<Stripe.SubscriptionScheduleUpdateParams>()({
  default_settings: unmodelled,
  end_behavior: endBehavior,
  expand,
  metadata: emptyable(metadata),
  pause_schedules: unmodelled,
  phases: listOf(phase),
  proration_behavior: prorationBehavior,
});

export const scheduleRelease = fields<Stripe.SubscriptionScheduleReleaseParams>()({
  expand,
  preserve_cancel_date: unmodelled,
});

export const scheduleList = fields<Stripe.SubscriptionScheduleListParams>()({
  ...paging,
  canceled_at: unmodelled,
  completed_at: unmodelled,
  created: unmodelled,
  customer: text,
  customer_account: unmodelled,
  released_at: unmodelled,
  scheduled: unmodelled,
});
