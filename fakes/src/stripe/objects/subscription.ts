/** Builds new subscriptions and their items. */
import type { PriceObject, SubscriptionItemObject, SubscriptionObject } from '../state/resources.ts';
import { newId } from '../store.ts';
import { legacyPlanOf } from './catalogue.ts';

export interface NewSubscriptionFields {
  customer: string;
  price: PriceObject;
  quantity: number;
  itemMetadata: Record<string, string>;
  metadata: Record<string, string>;
  description: string | null;
  /** Null without a trial. */
  trialEnd: number | null;
  missingPaymentMethod: 'cancel' | 'pause' | 'create_invoice';
  defaultPaymentMethod: string | null;
  savesPaymentMethod: boolean;
  paymentMethodTypes: 'card'[] | null;
  periodEnd: number;
  now: number;
}

export function newSubscription(newFields: NewSubscriptionFields): SubscriptionObject {
  const id = newId('sub_');
  const { now, trialEnd, price } = newFields;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: newFields.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: newFields.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: newFields.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [newItem(id, newFields)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: newFields.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: newFields.paymentMethodTypes,
      save_default_payment_method: newFields.savesPaymentMethod ? 'on_subscription' : 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: newFields.missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : now,
  };
}

const newItem = (
  subscription: string,
  { price, quantity, itemMetadata, periodEnd, now }: NewSubscriptionFields,
): SubscriptionItemObject => ({
  id: newId('si_'),
  object: 'subscription_item',
  billing_thresholds: null,
  created: now,
  current_period_end: periodEnd,
  current_period_start: now,
  current_trial: null,
  discounts: [],
  metadata: itemMetadata,
  plan: legacyPlanOf(price),
  price: structuredClone(price),
  quantity,
  subscription,
  tax_rates: [],
});

/** Stripe allows several items; subscriptions of the fake have exactly one. */
export function onlyItem(subscription: SubscriptionObject): SubscriptionItemObject {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item`);
  return item;
}
