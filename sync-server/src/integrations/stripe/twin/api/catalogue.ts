/** Products and prices. */
import { newPrice, newProduct, planOf } from '../objects/catalogue.ts';
import { priceCreate, priceList, priceUpdate, productCreate, productList } from '../params/catalogue.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { refuse } from '../refused.ts';
import type { PriceObject, ProductObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const catalogueRoutes = [
  route('POST /v1/products', productCreate, createProduct),
  route('GET /v1/products', productList, (world, params) =>
    newestPage(
      world.all('product').filter(({ active }) => fits(active, params.active)),
      params,
      '/v1/products',
    ),
  ),
  route('POST /v1/prices', priceCreate, createPrice),
  route('GET /v1/prices', priceList, (world, params) =>
    newestPage(
      world.all('price').filter((price) => isWanted(price, params)),
      params,
      '/v1/prices',
    ),
  ),
  route('POST /v1/prices/:id', priceUpdate, updatePrice),
];

function createProduct(world: World, params: Read<typeof productCreate>): ProductObject {
  return world.add('product', newProduct(params, world.now()), 'product.created');
}

function createPrice(world: World, params: Read<typeof priceCreate>): PriceObject {
  const { product, unit_amount: unitAmount } = params;
  if (product === undefined)
    throw refuse('Missing required param: product.', { code: 'parameter_missing', param: 'product' });
  world.named('product', product, 'product');
  if (unitAmount === undefined)
    throw refuse('Missing required param: unit_amount.', { code: 'parameter_missing', param: 'unit_amount' });
  if (!/^[a-z]{3}$/i.test(params.currency)) throw refuse(`Invalid currency: ${params.currency}`, { param: 'currency' });
  return world.add('price', newPrice(params, { product, unitAmount, now: world.now() }), 'price.created');
}

function updatePrice(world: World, params: Read<typeof priceUpdate>, id: string): PriceObject {
  world.get('price', id);
  const updated = world.change('price', id, 'price.updated', (price) => {
    if (params.active !== undefined) price.active = params.active;
    if (params.nickname !== undefined) price.nickname = params.nickname;
    price.metadata = mergeMetadata(price.metadata, params.metadata);
  });
  for (const { items } of world.all('subscription'))
    for (const item of items.data)
      if (item.price.id === id) {
        item.price = structuredClone(updated);
        item.plan = planOf(updated);
      }
  return updated;
}

function isWanted(price: PriceObject, params: Read<typeof priceList>): boolean {
  const { active, currency, product, recurring } = params;
  return (
    fits(price.active, active) &&
    isWithin(price.created, params.created) &&
    fits(price.currency, currency) &&
    fits(price.product, product) &&
    fits(price.recurring?.interval, recurring?.interval) &&
    fits(price.recurring?.usage_type, recurring?.usage_type)
  );
}
