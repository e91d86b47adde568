/** Products and prices. */
import { newPrice, newProduct, planOf } from '../objects/catalogue.ts';
import { priceCreate, priceList, priceUpdate, productCreate, productList } from '../params/catalogue.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { refuse, refuseUnmodelled } from '../refused.ts';
import type { PriceObject, ProductObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const catalogueRoutes = [
  route('POST /v1/products', productCreate, createProduct),
  route('GET /v1/products', productList, (world, params) =>
    newestPage(
      world
        .all('product')
        .filter(
          ({ id, active, created }) =>
            fits(active, params.active) && isWithin(created, params.created) && (params.ids?.includes(id) ?? true),
        ),
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
  if (params.id !== undefined && world.find('product', params.id) !== undefined)
    throw refuse(`Product already exists: ${params.id}`, { code: 'resource_already_exists', param: 'id' });
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
  takeLookupKey(world, params);
  return world.add('price', newPrice(params, { product, unitAmount, now: world.now() }), 'price.created');
}

/** A key names one price only, unless it is said that it moves. */
function takeLookupKey(
  world: World,
  params: { lookup_key?: string; transfer_lookup_key?: boolean },
  id?: string,
): void {
  const { lookup_key: key, transfer_lookup_key: isMoved } = params;
  const holder = key === undefined ? undefined : world.all('price').find((price) => price.lookup_key === key);
  if (holder === undefined || holder.id === id) return;
  if (isMoved !== true) throw refuse(`Another price has this lookup key: ${holder.id}`, { param: 'lookup_key' });
  world.change('price', holder.id, 'price.updated', (price) => {
    price.lookup_key = null;
  });
}

function updatePrice(world: World, params: Read<typeof priceUpdate>, id: string): PriceObject {
  const { tax_behavior: was } = world.get('price', id);
  if (params.tax_behavior !== undefined && was !== 'unspecified' && was !== params.tax_behavior)
    throw refuseUnmodelled('a second change of tax_behavior', 'tax_behavior');
  const { lookup_key: key, transfer_lookup_key: isMoved = false } = params;
  if (key !== undefined && key !== '') takeLookupKey(world, { lookup_key: key, transfer_lookup_key: isMoved }, id);
  const updated = world.change('price', id, 'price.updated', (price) => {
    if (params.active !== undefined) price.active = params.active;
    if (key !== undefined) price.lookup_key = key === '' ? null : key;
    if (params.nickname !== undefined) price.nickname = params.nickname;
    if (params.tax_behavior !== undefined) price.tax_behavior = params.tax_behavior;
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
  const { active, currency, product, type, lookup_keys: keys, recurring } = params;
  return (
    fits(price.active, active) &&
    isWithin(price.created, params.created) &&
    fits(price.currency, currency) &&
    fits(price.product, product) &&
    fits(price.type, type) &&
    fits(price.recurring?.interval, recurring?.interval) &&
    fits(price.recurring?.usage_type, recurring?.usage_type) &&
    (keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key)))
  );
}
