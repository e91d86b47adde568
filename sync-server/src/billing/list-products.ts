/** Lists what is sold, for admins. */
import type { ProductRow, ProductsRequest } from '@parley/contract';
import { and, count, eq, ilike, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

const { products, prices, subscriptions } = tables;

/** Counts paid subscriptions. A free week has a price at the provider too, but is usually never charged. */
const SUBSCRIPTIONS = sql<number>`(
  select count(*)::int from ${subscriptions}
  where ${subscriptions.priceId} = ${prices.id} and ${subscriptions.status} in ('active', 'past_due')
    and ${subscriptions.deletedAt} is null)`;

const SORTS = {
  name: sql`lower(${products.name})`,
  unitAmount: sql`${prices.unitAmount}`,
  subscriptions: SUBSCRIPTIONS,
} as const;

/** One row per price, and one for a product without any. */
export async function listProducts(
  db: Database,
  { search, sort, direction, page, pageSize, only }: ProductsRequest,
): Promise<{ total: number; rows: ProductRow[] }> {
  const where = and(
    isNull(products.deletedAt),
    search === '' ? undefined : ilike(products.name, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
    only === undefined ? undefined : eq(products.active, only === 'sold'),
  );
  const ofProduct: SQL | undefined = and(eq(prices.productId, products.id), isNull(prices.deletedAt));
  const [[counted], rows] = await Promise.all([
    db.select({ total: count() }).from(products).leftJoin(prices, ofProduct).where(where),
    db
      .select({ product: products, price: prices, subscriptions: SUBSCRIPTIONS })
      .from(products)
      .leftJoin(prices, ofProduct)
      .where(where)
      .orderBy(sql`${SORTS[sort]} ${sql.raw(direction)} nulls last`, prices.unitAmount, products.id, prices.id)
      .limit(pageSize)
      .offset(page * pageSize),
  ]);
  return {
    total: counted?.total ?? 0,
    rows: rows.map(({ product, price, subscriptions: taken }) => ({
      productId: product.productId,
      name: product.name,
      description: product.description,
      isActive: product.active,
      isTest: product.isTest,
      price: price && {
        priceId: price.priceId,
        description: price.description,
        plan: price.type,
        pricingType: price.pricingType,
        unitAmount: price.unitAmount,
        currency: price.currency,
        interval: price.pricingPlanInterval,
        intervalCount: price.intervalCount ?? 1,
        subscriptions: taken,
      },
    })),
  };
}
