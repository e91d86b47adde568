/** Parameters of products and prices. */
import type { Stripe } from 'stripe';
import { expand, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { amount, clearable, objectOf, booleanParam, integer, required, enumOf, stringParam } from './param-schema.ts';

export const productCreate = objectOf<Stripe.ProductCreateParams>()({
  name: required(stringParam),
  active: booleanParam,
  expand,
  metadata,
});

export const productList = objectOf<Stripe.ProductListParams>()({
  ...paging,
  active: booleanParam,
});

export const priceCreate = objectOf<Stripe.PriceCreateParams>()({
  currency: required(stringParam),
  active: booleanParam,
  expand,
  metadata,
  nickname: stringParam,
  product: stringParam,
  recurring: objectOf<Stripe.PriceCreateParams.Recurring>()({
    interval: required(enumOf('day', 'week', 'month', 'year')),
    interval_count: integer,
    usage_type: enumOf('licensed'),
  }),
  unit_amount: amount,
});

export const priceUpdate = objectOf<Stripe.PriceUpdateParams>()({
  active: booleanParam,
  expand,
  metadata: clearable(metadata),
  nickname: stringParam,
});

export const priceList = objectOf<Stripe.PriceListParams>()({
  ...paging,
  active: booleanParam,
  created: range,
  currency: stringParam,
  product: stringParam,
  recurring: objectOf<Stripe.PriceListParams.Recurring>()({
    interval: enumOf('day', 'week', 'month', 'year'),
    usage_type: enumOf('licensed', 'metered'),
  }),
});
