/** How much an account stores, and whether a change still has room. What a deletion frees is half at once, the rest when it is forgotten. */
import { type EntityKey, ENTITY_KEYS, entities, type Field, isProjection, type PlanType } from '@parley/domain';
import { eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { planReader, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { syncScopes, tables } from '../db/tables.ts';
import { MutationRefused, type Values } from './read-change.ts';
import { ownedBy, wireBytes } from './wire-rows.ts';

export type StorageQuotas = Readonly<Record<PlanType, number>>;

/** No push makes an account's rows larger by more than this. */
const MAX_GROWTH_BYTES = 4 * 1_048_576;
/** So that many small rows count as well. */
const ROW_BYTES = 400;

const LEARNER_KEYS: readonly EntityKey[] = ENTITY_KEYS.filter((key) => entities[key].owner === 'learner');

const SIZED_FIELDS: ReadonlyMap<EntityKey, readonly string[]> = new Map(
  LEARNER_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>)
      .filter(([name, { kind }]) => (kind === 'json' || kind === 'text') && !isProjection(entities[key], name))
      .map(([name]) => name),
  ]),
);

/** What a row counts for; a deleted one is kept for a while, and counts half. */
export function bytesOfRow(key: EntityKey, row: Values | undefined): number {
  if (row === undefined) return 0;
  const names = [...(SIZED_FIELDS.get(key) ?? []), 'fieldClocks'];
  const bytes = names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(row[name] ?? '')), ROW_BYTES);
  return row['deletedAt'] === null ? bytes : Math.ceil(bytes / 2);
}

export interface AccountStorage {
  usedBytes: number;
  readonly quotaBytes: number;
}

/** `storedBytes`: as it was last counted; null when that is to be done now. The learner's scope is locked. */
export async function readStorage(
  tx: Database,
  { userId, storedBytes, at, quotas }: { userId: string; storedBytes: number | null; at: Date; quotas: StorageQuotas },
): Promise<AccountStorage> {
  const usedBytes = storedBytes ?? (await countStoredBytes(tx, userId));
  if (usedBytes + MAX_GROWTH_BYTES <= quotas.FREE) return { usedBytes, quotaBytes: quotas.FREE };
  const { plan } = await planReader({ db: tx, now: () => at })(userId);
  const quotaBytes = quotas[plan];
  if (usedBytes + MAX_GROWTH_BYTES <= quotaBytes) return { usedBytes, quotaBytes };
  // Counted anew before anything is refused: what others than pushes have written is not in the sum.
  return { usedBytes: storedBytes === null ? usedBytes : await countStoredBytes(tx, userId), quotaBytes };
}

export async function noteStorage(tx: Database, userId: string, usedBytes: number): Promise<void> {
  await tx
    .update(syncScopes)
    .set({ storedBytes: Math.max(0, Math.round(usedBytes)) })
    .where(eq(syncScopes.scope, userScope(userId)));
}

const Sum = z.object({ bytes: z.coerce.number() });

async function countStoredBytes(tx: Database, userId: string): Promise<number> {
  const parts = LEARNER_KEYS.map(
    (
      key,
    ): SQL => sql`select coalesce(sum((${wireBytes(key, 3)}) / case when deleted_at is null then 1 else 2 end), 0) as bytes
      from ${tables[key]} where ${ownedBy(key, userId)}`,
  );
  const { rows } = (await tx.execute(sql.join(parts, sql` union all `))) as { rows: unknown[] };
  return z
    .array(Sum)
    .parse(rows)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Room for the changes of one batch. */
export class StorageRoom {
  #freeBytes: number;
  #isFull = false;

  constructor({ usedBytes, quotaBytes }: AccountStorage) {
    this.#freeBytes = quotaBytes - usedBytes;
  }

  /** For an attempt that may be taken back. */
  copy(): StorageRoom {
    const copy = new StorageRoom({ usedBytes: 0, quotaBytes: 0 });
    copy.become(this);
    return copy;
  }

  become(other: StorageRoom): void {
    this.#freeBytes = other.#freeBytes;
    this.#isFull = other.#isFull;
  }

  /**
   * Throws `MutationRefused` for a change that adds more than there is room for. All that add something behind it are refused as well, so
   * that no turn is taken whose session was not.
   */
  require(growthBytes: number): void {
    if (growthBytes <= 0) return void (this.#freeBytes -= growthBytes);
    if (this.#isFull || growthBytes > this.#freeBytes) {
      this.#isFull = true;
      // Without a field: it is the account that has no room, and not a field of the row.
      throw new MutationRefused('limit_exceeded', null);
    }
    this.#freeBytes -= growthBytes;
  }
}
