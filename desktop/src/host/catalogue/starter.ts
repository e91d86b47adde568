/** The courses that come with the program, so that a first practice needs no server. */
import type { Row } from '@parley/domain';
import { count, eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { practices, type Store, syncState, tables } from '../store/index.ts';

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
] as const;

/** Rows by entity; what a catalogue has none of may be left out. */
export type CatalogueRows = { readonly [Key in (typeof CATALOGUE_KEYS)[number]]?: readonly Row<Key>[] };

/** Written straight into the tables: the catalogue is the server's to change, so none of it goes through the outbox. */
export async function fillEmptyCatalogue(store: Store, load: () => Promise<CatalogueRows>): Promise<void> {
  const { db } = store;
  const held = db.select({ total: count() }).from(practices).get()?.total ?? 0;
  const pulled = db.select({ cursor: syncState.catalogueCursor }).from(syncState).where(eq(syncState.id, 1)).get();
  // A server whose catalogue is empty has the last word too.
  if (held > 0 || (pulled?.cursor ?? 0) > 0) return;
  const starter = await load();
  store.transaction(() => {
    for (const key of CATALOGUE_KEYS) {
      const table: SQLiteTable = tables[key];
      for (const row of starter[key] ?? []) db.insert(table).values(row).onConflictDoNothing().run();
    }
  });
}
