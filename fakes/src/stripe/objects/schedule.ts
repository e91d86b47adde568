/** Builds new subscription schedules. */
import type { ProrationBehavior } from '../params/subscriptions.ts';
import type { ScheduleObject, SubscriptionObject } from '../state/resources.ts';
import { newId } from '../store.ts';
import { onlyItem } from './subscription.ts';

export type PhaseObject = ScheduleObject['phases'][number];

export function newSchedule(
  subscription: SubscriptionObject,
  { metadata, now }: { metadata: Record<string, string>; now: number },
): ScheduleObject {
  const { price, quantity, current_period_start: start, current_period_end: end } = onlyItem(subscription);
  return {
    id: newId('sub_sched_'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: now,
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: subscription.default_payment_method,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [newPhase(subscription, { price: price.id, quantity, start, end, proration: 'create_prorations' })],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
}

export const newPhase = (
  { currency }: SubscriptionObject,
  facts: {
    price: string;
    quantity: number;
    start: number;
    end: number;
    proration: ProrationBehavior;
    metadata?: Record<string, string>;
  },
): PhaseObject => ({
  add_invoice_items: [],
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  currency,
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  end_date: facts.end,
  invoice_settings: null,
  items: [
    {
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      // Stripe's types still name the plan, whose id is the price's.
      plan: facts.price,
      price: facts.price,
      quantity: facts.quantity,
      tax_rates: [],
    },
  ],
  metadata: facts.metadata ?? {},
  on_behalf_of: null,
  proration_behavior: facts.proration,
  start_date: facts.start,
  transfer_data: null,
  trial_end: null,
});
