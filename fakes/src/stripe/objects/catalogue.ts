/** Builds new products and prices. */
import type { ParamsOf } from '../params/param-schema.ts';
import type { priceCreate, productCreate } from '../params/catalogue.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { PlanObject, PriceObject, ProductObject } from '../state/resources.ts';
import { newId } from '../store.ts';

export const newProduct = (params: ParamsOf<typeof productCreate>, now: number): ProductObject => ({
  id: newId('prod_'),
  object: 'product',
  active: params.active ?? true,
  created: now,
  default_price: null,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: mergeMetadata({}, params.metadata),
  name: params.name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: now,
  url: null,
});

export const newPrice = (
  params: ParamsOf<typeof priceCreate>,
  { product, unitAmount, now }: { product: string; unitAmount: number; now: number },
): PriceObject => ({
  id: newId('price_'),
  object: 'price',
  active: params.active ?? true,
  billing_scheme: 'per_unit',
  created: now,
  currency: params.currency.toLowerCase(),
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: mergeMetadata({}, params.metadata),
  nickname: params.nickname ?? null,
  product,
  recurring:
    params.recurring === undefined
      ? null
      : {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: params.recurring === undefined ? 'one_time' : 'recurring',
  unit_amount: unitAmount,
  unit_amount_decimal: String(unitAmount),
});

/** The legacy form of a recurring price, which subscription items still carry. */
export const legacyPlanOf = (price: PriceObject): PlanObject => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: price.billing_scheme,
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});
