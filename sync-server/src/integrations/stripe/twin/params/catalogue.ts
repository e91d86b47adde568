/** Parameters of products and prices. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { amount, emptyable, fields, flag, integer, listOf, needed, oneOf, text, unmodelled } from './shape.ts';

const feature = fields<Stripe.ProductCreateParams.MarketingFeature>()({ name: needed(text) });

export const productCreate = fields<Stripe.ProductCreateParams>()({
  name: needed(text),
  active: flag,
  default_price_data: unmodelled,
  description: text,
  expand,
  id: text,
  images: listOf(text),
  marketing_features: listOf(feature),
  metadata,
  package_dimensions: unmodelled,
  shippable: flag,
  statement_descriptor: text,
  tax_code: unmodelled,
  tax_details: unmodelled,
  type: oneOf('service', 'good'),
  unit_label: text,
  url: text,
});

export const productUpdate = fields<Stripe.ProductUpdateParams>()({
  active: flag,
  default_price: text,
  description: emptyable(text),
  expand,
  images: emptyable(listOf(text)),
  marketing_features: emptyable(listOf(feature)),
  metadata: emptyable(metadata),
  name: text,
  package_dimensions: unmodelled,
  shippable: flag,
  statement_descriptor: text,
  tax_code: unmodelled,
  tax_details: unmodelled,
  unit_label: emptyable(text),
  url: emptyable(text),
});

export const productList = fields<Stripe.ProductListParams>()({
  ...paging,
  active: flag,
  created: range,
  ids: listOf(text),
  shippable: unmodelled,
  type: unmodelled,
  url: unmodelled,
});

const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');

export const priceCreate = fields<Stripe.PriceCreateParams>()({
  currency: needed(text),
  active: flag,
  billing_scheme: oneOf('per_unit'),
  currency_options: unmodelled,
  custom_unit_amount: unmodelled,
  expand,
  lookup_key: text,
  metadata,
  nickname: text,
  product: text,
  product_data: unmodelled,
  recurring: fields<Stripe.PriceCreateParams.Recurring>()({
    interval: needed(oneOf('day', 'week', 'month', 'year')),
    interval_count: integer,
    meter: unmodelled,
    trial_period_days: unmodelled,
    usage_type: oneOf('licensed'),
  }),
  tax_behavior: taxBehavior,
  tiers: unmodelled,
  tiers_mode: unmodelled,
  transfer_lookup_key: flag,
  transform_quantity: unmodelled,
  unit_amount: amount,
  unit_amount_decimal: unmodelled,
});

export const priceUpdate = fields<Stripe.PriceUpdateParams>()({
  active: flag,
  currency_options: unmodelled,
  expand,
  lookup_key: emptyable(text),
  metadata: emptyable(metadata),
  nickname: text,
  tax_behavior: taxBehavior,
  transfer_lookup_key: flag,
});

export const priceList = fields<Stripe.PriceListParams>()({
  ...paging,
  active: flag,
  created: range,
  currency: text,
  lookup_keys: listOf(text),
  product: text,
  recurring: fields<Stripe.PriceListParams.Recurring>()({
    interval: oneOf('day', 'week', 'month', 'year'),
    meter: unmodelled,
    usage_type: oneOf('licensed', 'metered'),
  }),
  type: oneOf('one_time', 'recurring'),
});
