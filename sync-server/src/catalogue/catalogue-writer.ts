/** Writes catalogue rows under new versions, so that every change reaches the devices. */
import { isDeepStrictEqual } from 'node:util';
import { entities, type EntityKey } from '@parley/domain';
import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import { BYTE_COUNT_COLUMNS, syncScopes, tables } from '../db/tables.ts';
import { CATALOGUE_SCOPE } from '../sync/index.ts';

export type Values = Record<string, unknown>;

const SERVER_COLUMNS = new Set(['createdAt', 'updatedAt', 'syncVersion', 'fieldClocks', ...BYTE_COUNT_COLUMNS]);

const withoutServerColumns = (row: Values): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !SERVER_COLUMNS.has(name)));

/** A device on a slow connection advances by whole versions, so a version contains only part of a large catalogue. */
const VERSION_CHARACTERS = 200_000;

export interface CatalogueWriter {
  tx: Database;
  now: Date;
  /** Loads rows with one query. `put` and `remove` then need none of their own. */
  load: (key: EntityKey, where?: SQL) => Promise<Values[]>;
  /** Inserts a row, or updates it if it differs. A tombstone is revived. */
  put: (key: EntityKey, row: Values) => Promise<void>;
  /** Replaces a row with a tombstone that has the given values. A row that does not exist needs none. */
  remove: (key: EntityKey, id: string, changes?: Values) => Promise<void>;
  /** How many rows have changed so far. */
  changed: () => number;
}

const tableOf = (key: EntityKey): PgTable => tables[key];

/**
 * Runs `work` in a transaction that holds the catalogue's lock. Returns the catalogue's new version, or null when
 * nothing has changed. If there is a new version, the caller pokes the devices.
 */
export async function changeCatalogue<Value>(
  { db, now }: { db: Database; now: () => Date },
  work: (writer: CatalogueWriter) => Promise<Value>,
): Promise<{ value: Value; version: number | null }> {
  return db.transaction(async (tx) => {
    const [scope] = await tx
      .insert(syncScopes)
      .values({ scope: CATALOGUE_SCOPE, version: 1 })
      .onConflictDoUpdate({ target: syncScopes.scope, set: { version: sql`${syncScopes.version}` } })
      .returning();
    const writer = createWriter(tx, { now: now(), firstVersion: (scope?.version ?? 0) + 1 });
    const value = await work(writer);
    if (writer.changed() === 0) return { value, version: null };
    const version = writer.version();
    await tx.update(syncScopes).set({ version }).where(eq(syncScopes.scope, CATALOGUE_SCOPE));
    return { value, version };
  });
}

function createWriter(
  tx: Database,
  { now, firstVersion }: { now: Date; firstVersion: number },
): CatalogueWriter & { version: () => number } {
  let version = firstVersion;
  let versionCharacters = 0;
  let changed = 0;
  const knownById = new Map<EntityKey, Map<string, Values | null>>();
  /** Tables of which every row is known. */
  const complete = new Set<EntityKey>();
  const cacheOf = (key: EntityKey): Map<string, Values | null> => {
    const cache = knownById.get(key) ?? new Map<string, Values | null>();
    knownById.set(key, cache);
    return cache;
  };

  function takeVersion(row: Values): number {
    const characters = JSON.stringify(row).length;
    if (versionCharacters > 0 && versionCharacters + characters > VERSION_CHARACTERS) {
      version += 1;
      versionCharacters = 0;
    }
    versionCharacters += characters;
    return version;
  }

  async function load(key: EntityKey, where?: SQL): Promise<Values[]> {
    const rows: Values[] = await tx.select().from(tableOf(key)).where(where);
    for (const row of rows) cacheOf(key).set(String(row[entities[key].key]), row);
    if (where === undefined) complete.add(key);
    return rows;
  }

  async function find(key: EntityKey, id: string): Promise<Values | null> {
    const cached = cacheOf(key).get(id);
    if (cached !== undefined || complete.has(key)) return cached ?? null;
    await load(key, inArray(keyColumn(key), [id]));
    const found = cacheOf(key).get(id) ?? null;
    cacheOf(key).set(id, found);
    return found;
  }

  async function write(key: EntityKey, id: string, { known, row }: { known: Values | null; row: Values }) {
    const stamped: Values = { ...row, updatedAt: now, syncVersion: takeVersion(row) };
    if (known === null) await tx.insert(tableOf(key)).values({ createdAt: now, ...stamped });
    else
      await tx
        .update(tableOf(key))
        .set(stamped)
        .where(eq(keyColumn(key), id));
    cacheOf(key).set(id, { ...known, ...stamped });
    changed += 1;
  }

  return {
    tx,
    now,
    load,
    changed: () => changed,
    version: () => version,
    async put(key, values) {
      const row: Values = { ...withoutServerColumns(values), deletedAt: null };
      const id = String(row[entities[key].key]);
      const known = await find(key, id);
      if (known === null || !isUnchanged(known, row)) await write(key, id, { known, row });
    },
    async remove(key, id, changes = {}) {
      const known = await find(key, id);
      if (known === null) return;
      const row: Values = { ...changes, deletedAt: known['deletedAt'] ?? now };
      if (!isUnchanged(known, row)) await write(key, id, { known, row });
    },
  };
}

const isUnchanged = (known: Values, row: Values): boolean =>
  Object.entries(row).every(([name, value]) => isDeepStrictEqual(known[name], value));

export function keyColumn(key: EntityKey): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${entities[key].name} has no key column`);
  return column;
}
