/** What every plan of a change is made of: when it counts as made, how large a row may be, what a new one begins with. */
import {
  clampHybridTime,
  correctHybridTime,
  ENTITY_KEYS,
  entities,
  type EntityKey,
  type Field,
  formatHybridTime,
  parseHybridTime,
  SERVER_SET,
} from '@parley/domain';
import type { AccountStorage } from './storage-quota.ts';
import { refusalOf } from './own-rows.ts';
import type { SpokenProtocol } from './protocol-version.ts';
import { MutationRefused, type ReadChange, type Values } from './read-change.ts';

export interface Write {
  userId: string;
  deviceId: string;
  protocol: SpokenProtocol;
  at: Date;
  version: number;
  /** What is to be added to the times of the device's changes, so that they are by the server's clock. */
  clockOffsetMs: number;
  /** As it is before this push. */
  storage: AccountStorage;
}

/** What a change comes to. */
export interface Plan {
  /** The whole row to write; null when there is nothing to write. */
  row: Values | null;
  /** Whether the row then is what the device made of it, but for the times and the version that the server sets. */
  isExact: boolean;
  /** The time that the change counts as; null where it counts for nothing. */
  time: string | null;
}

/** A time counts as the pushing device's own, whatever device it names: a device cannot decide ties for another. */
export const timeOf = (at: string, { deviceId, clockOffsetMs, at: now }: Write): string =>
  clampHybridTime(
    correctHybridTime(formatHybridTime({ ...parseHybridTime(at), deviceId }), clockOffsetMs),
    now.getTime(),
  );

export const stampOf = ({ at, version }: Pick<Write, 'at' | 'version'>): Values => ({
  updatedAt: at,
  syncVersion: version,
});

/** What a device brought was checked as it was read; here is what became of it. */
export function requireWithinLimits(key: EntityKey, changes: Values, brought: Values): void {
  const fields: Readonly<Record<string, Field>> = entities[key].fields;
  for (const [name, value] of Object.entries(changes)) {
    const field = fields[name];
    if (field === undefined || value === null || value === brought[name]) continue;
    if (!field.schema.safeParse(value).success) throw new MutationRefused('limit_exceeded', name);
  }
}

/** By table: the starting values of its fields; undefined where a device must give one. */
const INITIAL_VALUES: ReadonlyMap<EntityKey, readonly [name: string, initial: unknown][]> = new Map(
  ENTITY_KEYS.map((key) => [
    key,
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { initial }]) =>
      SERVER_SET.has(name) ? [] : [[name, initial]],
    ),
  ]),
);

/** A new row needs every field: given, or with a starting value. */
export function completeRow(change: ReadChange, write: Write): Values {
  const { key, mutation, fields } = change;
  const complete: Values = {
    createdAt: write.at,
    deletedAt: null,
    ...fields,
    ...stampOf(write),
    [entities[key].key]: mutation.rowId,
  };
  for (const [name, initial] of INITIAL_VALUES.get(key) ?? []) {
    if (name in complete) continue;
    if (initial === undefined) throw new MutationRefused(refusalOf(change, name), name);
    complete[name] = initial;
  }
  return complete;
}
