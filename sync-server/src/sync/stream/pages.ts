/** Splits what a device has not seen into pages of whole versions, so that rows written together arrive together. */
import type { EntityKey } from '@parley/domain';
import { inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { syncScopes, tables } from '../../db/tables.ts';
import type { Database } from '../../db/client.ts';
import { isRead, keysOf, type Reader, type VersionRange, versionColumn, wireBytes } from '../rows/wire-rows.ts';

export interface PageLimits {
  rows: number;
  /** The size in transit. */
  bytes: number;
}

/** The byte limit of a page and of a line in transit. Each slow reader keeps one page in memory. A single row may exceed it. */
export const PAGE_BYTES = 1_048_576;

const Step = z.object({
  version: z.coerce.number(),
  count: z.coerce.number(),
  bytes: z.coerce.number(),
  /** The tables that have rows of the version, as bits in the order of `keysOf`. */
  tables: z.number().int(),
});
type Step = z.infer<typeof Step>;
/** The bits of a JavaScript integer that stay positive when they are shifted. */
const MAX_TABLES = 31;

export interface PageRange extends VersionRange {
  /** Whether more versions follow. */
  hasMore: boolean;
  /** Whether this is a single version larger than a page. */
  isOversized: boolean;
  /**
   * The tables that have rows in the range. Reading only these saves the database from planning a query of all tables.
   */
  keys: EntityKey[];
}

/** Returns the next whole versions that fit, at least one, or null when there is none. */
export async function nextRange(
  tx: Database,
  reader: Reader,
  page: { within: VersionRange; limits: PageLimits },
): Promise<PageRange | null> {
  const { within, limits } = page;
  if (within.from > within.to) return null;
  const steps = await readVersionSizes(tx, reader, { within, limit: limits.rows + 1 });
  const [first] = steps;
  if (first === undefined) return null;
  const sums = { rows: 0, bytes: 0 };
  const fitting = steps.findIndex((step) => {
    sums.rows += step.count;
    sums.bytes += step.bytes;
    return sums.rows > limits.rows || sums.bytes > limits.bytes;
  });
  const taken = fitting === -1 ? steps : steps.slice(0, Math.max(1, fitting));
  const last = taken.at(-1)?.version ?? first.version;
  // A result at its row limit may have been truncated.
  const more = taken.length < steps.length || steps.length > limits.rows;
  const reach = more ? last : within.newestFirst ? within.from : within.to;
  const [from, to] = within.newestFirst ? [reach, within.to] : [within.from, reach];
  const isOversized = fitting === 0 && first.bytes > limits.bytes;
  const found = taken.reduce((tables, step) => tables | step.tables, 0);
  const keys = keysOf(reader.owner).filter((_key, index) => (found & (1 << index)) !== 0);
  return { from, to, newestFirst: within.newestFirst, hasMore: more, isOversized, keys };
}

async function readVersionSizes(
  tx: Database,
  reader: Reader,
  { within, limit }: { within: VersionRange; limit: number },
): Promise<Step[]> {
  const direction = within.newestFirst ? sql`desc` : sql`asc`;
  const keys = keysOf(reader.owner);
  if (keys.length > MAX_TABLES) throw new Error('there are more tables than bits for them');
  const parts = keys.map((key, index): SQL => {
    const version = versionColumn(key);
    const bit = sql.raw(String(1 << index));
    return sql`(select ${version} as version, count(*) as count, sum(${wireBytes(key, reader.protocol)}) as bytes, ${bit} as tables
      from ${tables[key]}
      where ${isRead(key, reader)} and ${version} between ${within.from} and ${within.to}
      group by 1 order by 1 ${direction} limit ${limit})`;
  });
  const { rows } = (await tx.execute(sql`
    select version, sum(count) as count, sum(bytes) as bytes, bit_or(tables) as tables from (${sql.join(parts, sql` union all `)}) as steps
    group by version order by version ${direction} limit ${limit}`)) as { rows: unknown[] };
  return z.array(Step).parse(rows);
}

export interface ScopeState {
  version: number;
  /** Deletions up to this version may have been purged. */
  floor: number;
  epoch: string | null;
}

export const NEVER_WRITTEN: ScopeState = { version: 0, floor: 0, epoch: null };

/** Returns the states in the order of the scopes. */
export async function readScopeStates(tx: Database, scopes: readonly string[]): Promise<(ScopeState | undefined)[]> {
  const rows = await tx
    .select()
    .from(syncScopes)
    .where(inArray(syncScopes.scope, [...scopes]));
  return scopes.map((scope) => rows.find((row) => row.scope === scope));
}
