/** Answers the rows that changed since a device's cursors, whole versions at a time. */
import type { Cursors, PulledRow, PullRequest, PullResponse } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, isSynced, wireSchema } from '@parley/domain';
import { and, asc, eq, gt, getTableColumns, lte, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { syncScopes, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { requireKnownProtocol } from './protocol-version.ts';

export const CATALOGUE_SCOPE = 'catalogue';

type Values = Record<string, unknown>;

interface VersionedRow {
  key: EntityKey;
  version: number;
  row: Values;
}

export async function pull(
  { db }: { db: Database },
  device: SignedInDevice,
  request: PullRequest,
): Promise<PullResponse> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const { cursors, limit } = request;
  // One snapshot: a push that commits between two queries must not fall between two pages.
  return db.transaction(
    async (tx) => {
      const catalogue = await readScope(tx, { scope: CATALOGUE_SCOPE, after: cursors.catalogue, limit, userId: null });
      const left = limit - catalogue.rows.length;
      const own =
        catalogue.more || left <= 0
          ? { rows: [], next: cursors.user, more: true }
          : await readScope(tx, {
              scope: userScope(device.userId),
              after: cursors.user,
              limit: left,
              userId: device.userId,
            });
      const next: Cursors = { user: own.next, catalogue: catalogue.next };
      const rows = [...catalogue.rows, ...own.rows].map(toPulledRow);
      return { rows, next, more: catalogue.more || own.more, userId: device.userId };
    },
    { isolationLevel: 'repeatable read' },
  );
}

interface ScopeReading {
  scope: string;
  after: number;
  limit: number;
  /** Null for the catalogue. */
  userId: string | null;
}

/** Rows in version order; a version is never split, unless it alone is larger than a page. */
async function readScope(
  tx: Database,
  reading: ScopeReading,
): Promise<{ rows: VersionedRow[]; next: number; more: boolean }> {
  const [scope] = await tx.select().from(syncScopes).where(eq(syncScopes.scope, reading.scope));
  const newest = scope?.version ?? 0;
  if (newest <= reading.after) return { rows: [], next: reading.after, more: false };
  const keys = ENTITY_KEYS.filter(
    (key) => isSynced(key) && (entities[key].owner === 'catalogue') === (reading.userId === null),
  );
  const found: VersionedRow[] = [];
  for (const key of keys) found.push(...(await readTable(tx, key, reading)));
  // Stable: inside a version, parents stay before the rows that refer to them.
  found.sort((a, b) => a.version - b.version);
  if (found.length <= reading.limit) return { rows: found, next: newest, more: false };
  const cut = found[reading.limit]?.version ?? newest;
  const whole = found.filter((row) => row.version < cut);
  const page = whole.length > 0 ? whole : found.filter((row) => row.version === cut);
  const next = page.at(-1)?.version ?? reading.after;
  return { rows: page, next, more: true };
}

async function readTable(tx: Database, key: EntityKey, reading: ScopeReading): Promise<VersionedRow[]> {
  const table: PgTable = tables[key];
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const { syncVersion, userId } = columns;
  if (syncVersion === undefined) return [];
  const mine: SQL[] = reading.userId !== null && userId !== undefined ? [eq(userId, reading.userId)] : [];
  const select = (limits: SQL[]): Promise<Values[]> =>
    tx
      .select()
      .from(table)
      .where(and(...mine, ...limits))
      .orderBy(asc(syncVersion))
      .limit(reading.limit + 1);
  const rows = await select([gt(syncVersion, reading.after)]);
  const last = rows.at(-1)?.['syncVersion'];
  if (rows.length <= reading.limit || typeof last !== 'number') return rows.map((row) => versioned(key, row));
  // The last version may go on behind the limit: fetch it whole.
  const whole = await tx
    .select()
    .from(table)
    .where(and(...mine, gt(syncVersion, reading.after), lte(syncVersion, last)))
    .orderBy(asc(syncVersion));
  return whole.map((row) => versioned(key, row));
}

const versioned = (key: EntityKey, row: Values): VersionedRow => ({ key, version: Number(row['syncVersion']), row });

function toPulledRow({ key, row }: VersionedRow): PulledRow {
  const entity = entities[key];
  const own = Object.fromEntries(Object.keys(wireSchema(entity).shape).map((name) => [name, row[name]]));
  return { table: entity.name, fields: wireSchema(entity).encode(own) as PulledRow['fields'] };
}
