/** Brings the starter catalogue into the database: all of it at first start, later only what changed. */
import { isDeepStrictEqual } from 'node:util';
import { loadStarterCatalogue, type StarterCatalogue } from '@parley/catalogue';
import { entities } from '@parley/domain';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import { BYTE_COUNTS, syncScopes, tables } from '../db/tables.ts';
import { CATALOGUE_SCOPE } from '../sync/index.ts';

type Values = Record<string, unknown>;

const STAMPS = new Set(['createdAt', 'updatedAt', 'syncVersion', 'fieldClocks', ...BYTE_COUNTS]);

const withoutStamps = (row: Values): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !STAMPS.has(name)));

/** Rows that an admin added are left alone. Returns how many rows changed. */
export async function bringInStarterCatalogue(
  { db, now }: { db: Database; now: () => Date },
  starter: StarterCatalogue = loadStarterCatalogue(),
): Promise<number> {
  return db.transaction(async (tx) => {
    const [scope] = await tx
      .insert(syncScopes)
      .values({ scope: CATALOGUE_SCOPE, version: 1 })
      .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version}` } })
      .returning();
    const version = (scope?.version ?? 0) + 1;
    let changed = 0;
    for (const key of Object.keys(starter) as (keyof StarterCatalogue)[]) {
      const table: PgTable = tables[key];
      const keyColumn = (getTableColumns(table) as Record<string, AnyPgColumn>)[entities[key].key];
      if (keyColumn === undefined) throw new Error(`${entities[key].name} has no key column`);
      const stored: Values[] = await tx.select().from(table);
      const storedById = new Map(stored.map((row) => [row[entities[key].key], row]));
      for (const row of starter[key] as Values[]) {
        const known = storedById.get(row[entities[key].key]);
        const stamp = { updatedAt: now(), syncVersion: version };
        if (known === undefined) await tx.insert(table).values({ ...row, createdAt: now(), ...stamp });
        else if (isDeepStrictEqual(withoutStamps(known), withoutStamps(row))) continue;
        else
          await tx
            .update(table)
            .set({ ...withoutStamps(row), ...stamp })
            .where(eq(keyColumn, row[entities[key].key]));
        changed += 1;
      }
    }
    if (changed > 0) await tx.update(syncScopes).set({ version }).where(eq(syncScopes.scope, CATALOGUE_SCOPE));
    return changed;
  });
}
