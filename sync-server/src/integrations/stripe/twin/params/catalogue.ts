/** Parameters of products and prices. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { amount, emptyable, fields, flag, integer, listOf, needed, oneOf, text } from './shape.ts';

const feature = fields<Stripe.ProductCreateParams.MarketingFeature>()({ name: needed(text) });

export const productCreate = fields<Stripe.ProductCreateParams>()({
  name: needed(text),
  active: flag,
  description: text,
  expand,
  id: text,
  images: listOf(text),
  marketing_features: listOf(feature),
  metadata,
  shippable: flag,
  statement_descriptor: text,
  type: oneOf('service', 'good'),
  unit_label: text,
  url: text,
});

export const productList = fields<Stripe.ProductListParams>()({
  ...paging,
  active: flag,
  created: range,
  ids: listOf(text),
});

const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');

export const priceCreate = fields<Stripe.PriceCreateParams>()({
  currency: needed(text),
  active: flag,
  billing_scheme: oneOf('per_unit'),
  expand,
  lookup_key: text,
  metadata,
  nickname: text,
  product: text,
  recurring: fields<Stripe.PriceCreateParams.Recurring>()({
    interval: needed(oneOf('day', 'week', 'month', 'year')),
    interval_count: integer,
    usage_type: oneOf('licensed'),
  }),
  tax_behavior: taxBehavior,
  transfer_lookup_key: flag,
  unit_amount: amount,
});

export const priceUpdate = fields<Stripe.PriceUpdateParams>()({
  active: flag,
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
    usage_type: oneOf('licensed', 'metered'),
  }),
  type: oneOf('one_time', 'recurring'),
});
