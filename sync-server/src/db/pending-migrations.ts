/** Compares the migrations of this version with those already in the database, as drizzle's migrator does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, MIGRATIONS_DIR } from './client.ts';

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });
const Newest = z.array(z.object({ newest: z.coerce.number().nullable() }));

export interface MigrationState {
  /** Sorted in the order in which they would run. */
  pending: string[];
  /** The database was migrated by a newer version of the server. */
  isNewerThanServer: boolean;
  /** When the newest migration of this version was written. */
  newestAt: Date;
}

export async function readMigrationState(db: Database): Promise<MigrationState> {
  const { entries } = Journal.parse(JSON.parse(readFileSync(join(MIGRATIONS_DIR, 'meta', '_journal.json'), 'utf8')));
  const newest = await readNewestMigration(db);
  const newestHere = Math.max(...entries.map(({ when }) => when));
  return {
    pending: entries.filter(({ when }) => when > newest).map(({ tag }) => tag),
    isNewerThanServer: newest > newestHere,
    newestAt: new Date(newestHere),
  };
}

/** Returns 0 for a database without our tables. */
async function readNewestMigration(db: Database): Promise<number> {
  const { rows: tables } = (await db.execute(
    sql`select 1 from information_schema.tables where table_schema = 'drizzle' and table_name = '__drizzle_migrations'`,
  )) as { rows: unknown[] };
  if (tables.length === 0) return 0;
  const { rows } = (await db.execute(sql`select max(created_at) as newest from drizzle.__drizzle_migrations`)) as {
    rows: unknown[];
  };
  return Newest.parse(rows)[0]?.newest ?? 0;
}
