/** Parameters of products and prices. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { amount, emptyable, fields, flag, integer, needed, oneOf, text } from './shape.ts';

export const productCreate = fields<Stripe.ProductCreateParams>()({
  name: needed(text),
  active: flag,
  expand,
  metadata,
});

export const productList = fields<Stripe.ProductListParams>()({
  ...paging,
  active: flag,
});

export const priceCreate = fields<Stripe.PriceCreateParams>()({
  currency: needed(text),
  active: flag,
  expand,
  metadata,
  nickname: text,
  product: text,
  recurring: fields<Stripe.PriceCreateParams.Recurring>()({
    interval: needed(oneOf('day', 'week', 'month', 'year')),
    interval_count: integer,
    usage_type: oneOf('licensed'),
  }),
  unit_amount: amount,
});

export const priceUpdate = fields<Stripe.PriceUpdateParams>()({
  active: flag,
  expand,
  metadata: emptyable(metadata),
  nickname: text,
});

export const priceList = fields<Stripe.PriceListParams>()({
  ...paging,
  active: flag,
  created: range,
  currency: text,
  product: text,
  recurring: fields<Stripe.PriceListParams.Recurring>()({
    interval: oneOf('day', 'week', 'month', 'year'),
    usage_type: oneOf('licensed', 'metered'),
  }),
});
