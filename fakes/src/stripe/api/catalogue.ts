/** The API of products and prices. */
import { newPrice, newProduct, legacyPlanOf } from '../objects/catalogue.ts';
import { priceCreate, priceList, priceUpdate, productCreate, productList } from '../params/catalogue.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { invalidRequest } from '../api-error.ts';
import type { PriceObject, ProductObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { matches, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const catalogueRoutes = [
  route('POST /v1/products', productCreate, createProduct),
  route('GET /v1/products', productList, (store, params) =>
    newestPage(
      store.all('product').filter(({ active }) => matches(active, params.active)),
      params,
      '/v1/products',
    ),
  ),
  route('POST /v1/prices', priceCreate, createPrice),
  route('GET /v1/prices', priceList, (store, params) =>
    newestPage(
      store.all('price').filter((price) => matchesFilter(price, params)),
      params,
      '/v1/prices',
    ),
  ),
  route('POST /v1/prices/:id', priceUpdate, updatePrice),
];

function createProduct(store: StripeStore, params: ParamsOf<typeof productCreate>): ProductObject {
  return store.add('product', newProduct(params, store.currentFields()), 'product.created');
}

function createPrice(store: StripeStore, params: ParamsOf<typeof priceCreate>): PriceObject {
  const { product, unit_amount: unitAmount } = params;
  if (product === undefined)
    throw invalidRequest('Missing required param: product.', { code: 'parameter_missing', param: 'product' });
  store.getByParam('product', product, 'product');
  if (unitAmount === undefined)
    throw invalidRequest('Missing required param: unit_amount.', { code: 'parameter_missing', param: 'unit_amount' });
  if (!/^[a-z]{3}$/i.test(params.currency))
    throw invalidRequest(`Invalid currency: ${params.currency}`, { param: 'currency' });
  return store.add('price', newPrice(params, { product, unitAmount, now: store.currentFields() }), 'price.created');
}

function updatePrice(store: StripeStore, params: ParamsOf<typeof priceUpdate>, id: string): PriceObject {
  store.get('price', id);
  const updated = store.update('price', id, 'price.updated', (price) => {
    if (params.active !== undefined) price.active = params.active;
    if (params.nickname !== undefined) price.nickname = params.nickname;
    price.metadata = mergeMetadata(price.metadata, params.metadata);
  });
  for (const { items } of store.all('subscription'))
    for (const item of items.data)
      if (item.price.id === id) {
        item.price = structuredClone(updated);
        item.plan = legacyPlanOf(updated);
      }
  return updated;
}

function matchesFilter(price: PriceObject, params: ParamsOf<typeof priceList>): boolean {
  const { active, currency, product, recurring } = params;
  return (
    matches(price.active, active) &&
    isWithin(price.created, params.created) &&
    matches(price.currency, currency) &&
    matches(price.product, product) &&
    matches(price.recurring?.interval, recurring?.interval) &&
    matches(price.recurring?.usage_type, recurring?.usage_type)
  );
}
