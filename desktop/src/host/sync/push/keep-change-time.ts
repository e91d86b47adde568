/**
 * Turns a rejected change that is sent again into a restore with its original times, because its row may have changed
 * since.
 */
import type { Mutation } from '@parley/contract';
import { correctHybridTime } from '@parley/domain';

export type TimedChange = Pick<Mutation, 'op' | 'at' | 'clocks'>;

/** `offsetMs` is added to this device's clock to get the server's time. */
export function keepChangeTime(
  { op, at, clocks, creates }: TimedChange & { creates: boolean },
  { fields, offsetMs }: { fields: Mutation['fields']; offsetMs: number },
): Pick<Mutation, 'op'> & { clocks: NonNullable<Mutation['clocks']> | null } {
  if (op !== 'upsert') return { op, clocks: clocks ?? null };
  const time = correctHybridTime(at, offsetMs);
  const names = creates ? ['*'] : Object.keys(fields);
  return { op: 'restore', clocks: Object.fromEntries(names.map((name) => [name, time])) };
}
