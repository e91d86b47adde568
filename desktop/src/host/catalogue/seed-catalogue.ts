/**
 * Installs the bundled courses and posts on a device that has never synced, so that a first practice needs no server,
 * and updates them after an app upgrade. Once a server has sent its catalogue, only the server changes it.
 */
import { isDeepStrictEqual } from 'node:util';
import { entities, type Row } from '@parley/domain';
import { eq, getTableColumns } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Store, syncState, tables } from '../store/index.ts';

const CATALOGUE_KEYS = [
  'industry',
  'aiAgentProfiles',
  'courses',
  'courseSections',
  'practices',
  'objectives',
  'practiceObjectives',
  'videos',
  'courseSectionPractices',
  'courseSectionVideos',
  'blogPosts',
] as const;

/** Rows by entity. Entities without rows may be left out. */
export type CatalogueRows = { readonly [Key in (typeof CATALOGUE_KEYS)[number]]?: readonly Row<Key>[] };

const byKey = (key: (typeof CATALOGUE_KEYS)[number], row: Record<string, unknown>): unknown => row[entities[key].key];

/** These rows are written directly and not through the outbox. */
export async function installBundledCatalogue(store: Store, load: () => Promise<CatalogueRows>): Promise<void> {
  const { db } = store;
  const syncPosition = db
    .select({ cursor: syncState.catalogueCursor })
    .from(syncState)
    .where(eq(syncState.id, 1))
    .get();
  // A server's catalogue may be empty on purpose, and a school's edits must not be overwritten.
  if ((syncPosition?.cursor ?? 0) > 0) return;
  const bundled = await load();
  store.transaction(() => {
    for (const key of CATALOGUE_KEYS) {
      const table: SQLiteTable = tables[key];
      const keyColumn = (getTableColumns(table) as Record<string, SQLiteColumn>)[entities[key].key];
      if (keyColumn === undefined) throw new Error(`${entities[key].name} has no key column`);
      const stored = new Map(
        db
          .select()
          .from(table)
          .all()
          .map((row) => [byKey(key, row), row]),
      );
      for (const row of bundled[key] ?? []) {
        const known = stored.get(byKey(key, row));
        if (known === undefined) db.insert(table).values(row).onConflictDoNothing().run();
        else if (!isDeepStrictEqual({ ...known, ...row }, known))
          db.update(table)
            .set(row)
            .where(eq(keyColumn, byKey(key, row)))
            .run();
      }
    }
  });
}
