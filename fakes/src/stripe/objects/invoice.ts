/** Builds new invoices and their lines. */
import type { CustomerObject, InvoiceLineObject, InvoiceObject, PriceObject } from '../state/resources.ts';
import { newId } from '../store.ts';

export interface LineFacts {
  amount: number;
  description: string;
  price: PriceObject;
  quantity: number;
  period: { start: number; end: number };
  subscription: { id: string; itemId: string; metadata: Record<string, string> };
  isProration: boolean;
}

export const newLine = (facts: LineFacts): InvoiceLineObject => ({
  id: newId('il_'),
  object: 'line_item',
  amount: facts.amount,
  currency: facts.price.currency,
  description: facts.description,
  discount_amounts: [],
  discountable: !facts.isProration,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: facts.subscription.metadata,
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: facts.isProration,
      proration_details: { credited_items: null },
      subscription: facts.subscription.id,
      subscription_item: facts.subscription.itemId,
    },
    type: 'subscription_item_details',
  },
  period: facts.period,
  pretax_credit_amounts: [],
  pricing: {
    price_details: { price: facts.price.id, product: facts.price.product },
    type: 'price_details',
    unit_amount_decimal: facts.price.unit_amount_decimal,
  },
  quantity: facts.quantity,
  quantity_decimal: String(facts.quantity),
  subscription: facts.subscription.id,
  subtotal: facts.amount,
  taxes: [],
});

export interface InvoiceFacts {
  customer: CustomerObject;
  subscription: { id: string; metadata: Record<string, string> };
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: InvoiceLineObject[];
  currency: string;
  period: { start: number; end: number };
  /** When the clock finalizes a draft; null when it is finalized at once or never. */
  finalizesAt: number | null;
  now: number;
}

export function newInvoice(facts: InvoiceFacts): InvoiceObject {
  const id = newId('in_');
  const { customer, lines, now } = facts;
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Stripe fake',
    account_tax_ids: null,
    ...amountsDue(Math.max(total, 0)),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: facts.finalizesAt,
    billing_reason: facts.reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: facts.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: facts.finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: facts.subscription.metadata, subscription: facts.subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: facts.period.end,
    period_start: facts.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  };
}

export const amountsDue = (amount: number) => ({ amount_due: amount, amount_remaining: amount });

/** Returns the id of the subscription that an invoice is for. */
export function subscriptionIdOf({ parent }: InvoiceObject): string {
  const subscription = parent?.subscription_details?.subscription;
  if (typeof subscription !== 'string') throw new Error('an invoice of the fake always belongs to a subscription');
  return subscription;
}
