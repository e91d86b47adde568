/**
 * Tracks an account's storage and whether a change fits its quota. A deletion frees half of a row's size at once and the rest when it is
 * purged.
 */
import { type EntityKey, ENTITY_KEYS, entities, type Field, isProjection, type PlanType } from '@parley/domain';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { createPlanReader } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import type { PushTransaction } from '../push/statements/merged-statements.ts';
import { MutationRefused, type Values } from '../push/parse-change.ts';
import { ownedBy, wireBytes } from '../rows/wire-rows.ts';

export type StorageQuotas = Readonly<Record<PlanType, number>>;

/** The most by which one push may enlarge an account's rows. */
const MAX_GROWTH_BYTES = 4 * 1_048_576;
/** A fixed overhead per row, so that many small rows count too. */
const ROW_OVERHEAD_BYTES = 400;

const LEARNER_KEYS: readonly EntityKey[] = ENTITY_KEYS.filter((key) => entities[key].owner === 'learner');

const SIZED_FIELDS: ReadonlyMap<EntityKey, readonly string[]> = new Map(
  LEARNER_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>)
      .filter(([name, { kind }]) => (kind === 'json' || kind === 'text') && !isProjection(entities[key], name))
      .map(([name]) => name),
  ]),
);

/** Caches the sizes of rows, which a push needs twice. A changed row is a new object. */
const knownBytes = new WeakMap<Values, number>();

/** Returns a row's size for the quota; a deleted row is kept for a while and counts half. */
export function rowBytes(key: EntityKey, row: Values | undefined): number {
  if (row === undefined) return 0;
  const bytes = knownBytes.get(row) ?? measureRow(key, row);
  knownBytes.set(row, bytes);
  return bytes;
}

function measureRow(key: EntityKey, row: Values): number {
  const names = [...(SIZED_FIELDS.get(key) ?? []), 'fieldClocks'];
  const bytes = names.reduce(
    (sum, name) => sum + Buffer.byteLength(JSON.stringify(row[name] ?? '')),
    ROW_OVERHEAD_BYTES,
  );
  return row['deletedAt'] === null ? bytes : Math.ceil(bytes / 2);
}

export interface AccountStorage {
  usedBytes: number;
  readonly quotaBytes: number;
}

/** `storedBytes` is the last count, or null to recount. The learner's scope must be locked. */
export async function readStorage(
  transaction: PushTransaction,
  { userId, storedBytes, at, quotas }: { userId: string; storedBytes: number | null; at: Date; quotas: StorageQuotas },
): Promise<AccountStorage> {
  const count = (): Promise<number> => transaction.use((tx) => countStoredBytes(tx, userId));
  const usedBytes = storedBytes ?? (await count());
  if (usedBytes + MAX_GROWTH_BYTES <= quotas.FREE) return { usedBytes, quotaBytes: quotas.FREE };
  const { plan } = await transaction.use((tx) => createPlanReader({ db: tx, now: () => at })(userId));
  const quotaBytes = quotas[plan];
  if (usedBytes + MAX_GROWTH_BYTES <= quotaBytes) return { usedBytes, quotaBytes };
  // Recounts before rejecting anything, because rows written by other means than pushes are not in the count.
  return { usedBytes: storedBytes === null ? usedBytes : await count(), quotaBytes };
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

/** The remaining storage for the changes of one batch. */
export class StorageAllowance {
  #freeBytes: number;
  #isFull = false;

  constructor({ usedBytes, quotaBytes }: AccountStorage) {
    this.#freeBytes = quotaBytes - usedBytes;
  }

  /** A copy for an attempt that may be rolled back. */
  copy(): StorageAllowance {
    const copy = new StorageAllowance({ usedBytes: 0, quotaBytes: 0 });
    copy.assign(this);
    return copy;
  }

  assign(other: StorageAllowance): void {
    this.#freeBytes = other.#freeBytes;
    this.#isFull = other.#isFull;
  }

  /**
   * Throws `MutationRefused` for a change that does not fit. Every later change that adds bytes is rejected as well, so that no turn is
   * stored without its session.
   */
  reserve(growthBytes: number): void {
    if (growthBytes <= 0) return void (this.#freeBytes -= growthBytes);
    if (this.#isFull || growthBytes > this.#freeBytes) {
      this.#isFull = true;
      // The account is full, so the refusal does not concern a field of the row.
      throw new MutationRefused('limit_exceeded', null);
    }
    this.#freeBytes -= growthBytes;
  }
}
