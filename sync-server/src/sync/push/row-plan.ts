/** Defines the plan of a change and what all plans need: effective times, limits and initial values. */
import type { Mutation } from '@parley/contract';
import {
  clampHybridTime,
  correctHybridTime,
  ENTITY_KEYS,
  entities,
  type EntityKey,
  type Field,
  formatHybridTime,
  parseHybridTime,
  SERVER_FIELDS,
} from '@parley/domain';
import type { AccountStorage } from '../storage-quota/storage-quota.ts';
import type { ChangeOrder } from './change-order.ts';
import { missingFieldReason } from './row-ownership.ts';
import type { SpokenProtocol } from '../protocol-version.ts';
import { MutationRefused, type ParsedChange, type Values } from './parse-change.ts';

export interface WriteContext {
  userId: string;
  deviceId: string;
  protocol: SpokenProtocol;
  at: Date;
  version: number;
  /** Added to the times of the device's changes to match the server's clock. */
  clockOffsetMs: number;
  order: ChangeOrder;
  /** The account's storage before this push. */
  storage: AccountStorage;
}

/** The result of planning a change. */
export interface RowPlan {
  /** The whole row to write, or null when there is nothing to write. */
  row: Values | null;
  /** Whether the row matches what the device sent, apart from times and versions that the server sets. */
  isExact: boolean;
  /** The effective time of the change; null when the change had no effect. */
  time: string | null;
}

/**
 * A time is attributed to the pushing device whatever device it states, so that a device cannot decide ties for
 * another.
 */
export function effectiveTime({ id, at }: Pick<Mutation, 'id' | 'at'>, write: WriteContext): string {
  const { deviceId, clockOffsetMs, order, at: now } = write;
  const offsetMs = order.older.has(id) ? order.olderOffsetMs : clockOffsetMs;
  return clampHybridTime(
    correctHybridTime(formatHybridTime({ ...parseHybridTime(at), deviceId }), offsetMs),
    now.getTime(),
  );
}

export const writeStamp = ({ at, version }: Pick<WriteContext, 'at' | 'version'>): Values => ({
  updatedAt: at,
  syncVersion: version,
});

/** Fields from the device were checked when they were parsed; this checks merged values. */
export function requireWithinLimits(key: EntityKey, changes: Values, brought: Values): void {
  const fields: Readonly<Record<string, Field>> = entities[key].fields;
  for (const [name, value] of Object.entries(changes)) {
    const field = fields[name];
    if (field === undefined || value === null || value === brought[name]) continue;
    if (!field.quickCheck(value) && !field.schema.safeParse(value).success)
      throw new MutationRefused('limit_exceeded', name);
  }
}

/** Initial values of fields, by table; undefined when the device must send a value. */
const INITIAL_VALUES: ReadonlyMap<EntityKey, readonly [name: string, initial: unknown][]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { initial }]) =>
      SERVER_FIELDS.has(name) ? [] : [[name, initial]],
    ),
  ]),
);

/** A new row needs every field, either sent or with an initial value. */
export function completeRow(change: ParsedChange, write: WriteContext): Values {
  const { key, mutation, fields } = change;
  const complete: Values = {
    createdAt: write.at,
    deletedAt: null,
    ...fields,
    ...writeStamp(write),
    [entities[key].key]: mutation.rowId,
  };
  for (const [name, initial] of INITIAL_VALUES.get(key) ?? []) {
    if (name in complete) continue;
    if (initial === undefined) throw new MutationRefused(missingFieldReason(change, name), name);
    complete[name] = initial;
  }
  return complete;
}
