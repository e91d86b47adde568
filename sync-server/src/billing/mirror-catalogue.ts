/** Copies products and prices from the payment provider into our tables, so that devices see them by sync. */
import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { syncScopes, tables } from '../db/tables.ts';
import type { Payments } from '../ports/payments/index.ts';
import { CATALOGUE_SCOPE } from '../sync/index.ts';

export interface MirrorParts {
  db: Database;
  now: () => Date;
  newId: () => string;
}

/** Returns the catalogue's new version, or null when nothing has changed. */
export async function mirrorCatalogue({ db, now, newId }: MirrorParts, payments: Payments): Promise<number | null> {
  const { products, prices } = await payments.readCatalogue();
  return db.transaction(async (tx) => {
    const [scope] = await tx
      .insert(syncScopes)
      .values({ scope: CATALOGUE_SCOPE, version: 1 })
      .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version}` } })
      .returning();
    const version = (scope?.version ?? 0) + 1;
    let hasChanged = false;
    const stamp = { updatedAt: now(), syncVersion: version };

    const knownProducts = new Map((await tx.select().from(tables.products)).map((row) => [row.productId, row]));
    for (const { id: productId, ...fields } of products) {
      const known = knownProducts.get(productId);
      if (known === undefined) {
        const row = { id: newId(), productId, ...fields, createdAt: now(), deletedAt: null, ...stamp };
        knownProducts.set(productId, { ...row, fieldClocks: {} });
        await tx.insert(tables.products).values(row);
      } else if (isSame(known, fields)) continue;
      else
        await tx
          .update(tables.products)
          .set({ ...fields, ...stamp })
          .where(eq(tables.products.id, known.id));
      hasChanged = true;
    }

    const knownPrices = new Map((await tx.select().from(tables.prices)).map((row) => [row.priceId, row]));
    for (const { id: priceId, productId, active, plan, interval, ...fields } of prices) {
      const product = knownProducts.get(productId);
      if (product === undefined) continue;
      const values = {
        ...fields,
        type: plan,
        pricingPlanInterval: interval,
        productId: product.id,
        // A price that is no longer sold is hidden, not removed, because existing subscriptions still use it.
        deletedAt: active ? null : (knownPrices.get(priceId)?.deletedAt ?? now()),
      };
      const known = knownPrices.get(priceId);
      if (known === undefined)
        await tx.insert(tables.prices).values({ id: newId(), priceId, ...values, createdAt: now(), ...stamp });
      else if (isSame(known, values)) continue;
      else
        await tx
          .update(tables.prices)
          .set({ ...values, ...stamp })
          .where(eq(tables.prices.id, known.id));
      hasChanged = true;
    }
    if (!hasChanged) return null;
    await tx.update(syncScopes).set({ version }).where(eq(syncScopes.scope, CATALOGUE_SCOPE));
    return version;
  });
}

const isSame = (row: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(row[name], value));
