/** Reads what is on sale. Everything else in the mirrored catalogue is hidden. */
import type { PlanType } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

const { prices, products } = tables;

/** Prices on sale, of products on sale. */
export const readPricesOnSale = (db: Database) =>
  db
    .select({ price: prices, product: products })
    .from(prices)
    .innerJoin(products, eq(prices.productId, products.id))
    .where(
      and(
        isNull(prices.deletedAt),
        isNull(products.deletedAt),
        eq(products.active, true),
        eq(prices.pricingType, 'recurring'),
      ),
    )
    .orderBy(asc(prices.unitAmount));

/** The currency of a price by the provider's id, whether or not it is on sale; null when it is unknown. */
export async function readCurrency(db: Database, priceId: string | null): Promise<string | null> {
  if (priceId === null) return null;
  const [price] = await db.select({ currency: prices.currency }).from(prices).where(eq(prices.priceId, priceId));
  return price?.currency ?? null;
}

export const readPlansOnSale = async (db: Database): Promise<ReadonlySet<PlanType>> =>
  new Set((await readPricesOnSale(db)).map(({ price }) => price.type));
