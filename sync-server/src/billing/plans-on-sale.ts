/** Reads what is on sale: the mirror of the provider's catalogue hides the rest. */
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

export const readPlansOnSale = async (db: Database): Promise<ReadonlySet<PlanType>> =>
  new Set((await readPricesOnSale(db)).map(({ price }) => price.type));
