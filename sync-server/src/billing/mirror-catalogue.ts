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

type Listed = Awaited<ReturnType<Payments['readCatalogue']>>;
type Stamp = { updatedAt: Date; syncVersion: number };

const NOTHING_LISTED: Listed = { products: [], prices: [] };
const MAX_ATTEMPTS = 5;

/**
 * Prices that the provider does not list are no longer on sale; without payments, that is all of them. Returns the
 * catalogue's new version, or null when nothing has changed.
 */
export async function mirrorCatalogue(parts: MirrorParts, payments: Payments | null): Promise<number | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [scope] = await parts.db.select().from(syncScopes).where(eq(syncScopes.scope, CATALOGUE_SCOPE));
    if (scope === undefined && payments === null) return null;
    const listed = payments === null ? NOTHING_LISTED : await payments.readCatalogue();
    const version = await writeListed(parts, listed, scope?.version ?? null);
    if (version !== 'overtaken') return version;
  }
  throw new Error('the catalogue changed during each attempt to mirror the provider’s prices');
}

/** `overtaken`: the catalogue has changed since `expectedVersion`, so another server may have written a newer list. */
function writeListed(
  { db, now, newId }: MirrorParts,
  { products, prices }: Listed,
  expectedVersion: number | null,
): Promise<number | null | 'overtaken'> {
  return db.transaction(async (tx) => {
    const [scope] = await tx
      .insert(syncScopes)
      .values({ scope: CATALOGUE_SCOPE, version: 1 })
      .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version}` } })
      .returning();
    const current = scope?.version ?? 0;
    if (expectedVersion !== null && current !== expectedVersion) return 'overtaken';
    const version = current + 1;
    const stamp = { updatedAt: now(), syncVersion: version };
    const written = await writeProducts(tx, products, { newId, stamp });
    const hasChangedPrices = await writePrices(tx, prices, { newId, stamp, idsByProductId: written.idsByProductId });
    if (!written.hasChanged && !hasChangedPrices) return null;
    await tx.update(syncScopes).set({ version }).where(eq(syncScopes.scope, CATALOGUE_SCOPE));
    return version;
  });
}

async function writeProducts(
  tx: Database,
  listed: Listed['products'],
  { newId, stamp }: { newId: () => string; stamp: Stamp },
): Promise<{ hasChanged: boolean; idsByProductId: ReadonlyMap<string, string> }> {
  const { products } = tables;
  const known = new Map((await tx.select().from(products)).map((row) => [row.productId, row]));
  const idsByProductId = new Map([...known].map(([productId, { id }]) => [productId, id]));
  let hasChanged = false;
  for (const { id: productId, ...fields } of listed) {
    const row = known.get(productId);
    known.delete(productId);
    if (row !== undefined && isSame(row, fields)) continue;
    hasChanged = true;
    if (row === undefined) {
      const id = newId();
      idsByProductId.set(productId, id);
      await tx
        .insert(products)
        .values({ id, productId, ...fields, createdAt: stamp.updatedAt, deletedAt: null, ...stamp });
    } else
      await tx
        .update(products)
        .set({ ...fields, ...stamp })
        .where(eq(products.id, row.id));
  }
  for (const { id, active } of known.values()) {
    if (!active) continue;
    hasChanged = true;
    await tx
      .update(products)
      .set({ active: false, ...stamp })
      .where(eq(products.id, id));
  }
  return { hasChanged, idsByProductId };
}

/**
 * A price that is no longer sold is hidden, not removed, because existing subscriptions still use it. Returns whether
 * any price has changed.
 */
async function writePrices(
  tx: Database,
  listed: Listed['prices'],
  { newId, stamp, idsByProductId }: { newId: () => string; stamp: Stamp; idsByProductId: ReadonlyMap<string, string> },
): Promise<boolean> {
  const { prices } = tables;
  const known = new Map((await tx.select().from(prices)).map((row) => [row.priceId, row]));
  let hasChanged = false;
  for (const { id: priceId, productId: providerId, active, plan, interval, ...fields } of listed) {
    const productId = idsByProductId.get(providerId);
    if (productId === undefined) continue;
    const row = known.get(priceId);
    known.delete(priceId);
    const deletedAt = active ? null : (row?.deletedAt ?? stamp.updatedAt);
    const values = { ...fields, type: plan, pricingPlanInterval: interval, productId, deletedAt };
    if (row !== undefined && isSame(row, values)) continue;
    hasChanged = true;
    if (row === undefined)
      await tx.insert(prices).values({ id: newId(), priceId, ...values, createdAt: stamp.updatedAt, ...stamp });
    else
      await tx
        .update(prices)
        .set({ ...values, ...stamp })
        .where(eq(prices.id, row.id));
  }
  for (const { id, deletedAt } of known.values()) {
    if (deletedAt !== null) continue;
    hasChanged = true;
    await tx
      .update(prices)
      .set({ deletedAt: stamp.updatedAt, ...stamp })
      .where(eq(prices.id, id));
  }
  return hasChanged;
}

const isSame = (row: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([name, value]) => isDeepStrictEqual(row[name], value));
