/**
 * A change that goes out out of order. An edit by the device that edited a field last counts as the later one, since a device sends its
 * edits in order; one that comes late, or for the second time, is sent as a restore instead: each of its fields counts as of the time at
 * which it was set.
 */
import type { Mutation } from '@parley/contract';
import { correctHybridTime } from '@parley/domain';

export type Timed = Pick<Mutation, 'op' | 'at' | 'clocks'>;

/** `offsetMs`: what is to be added to this device's clock so that it says what the server's does. */
export function atOwnTime(
  { op, at, clocks, creates }: Timed & { creates: boolean },
  { fields, offsetMs }: { fields: Mutation['fields']; offsetMs: number },
): Pick<Mutation, 'op'> & { clocks: NonNullable<Mutation['clocks']> | null } {
  if (op !== 'upsert') return { op, clocks: clocks ?? null };
  const time = correctHybridTime(at, offsetMs);
  const names = creates ? ['*'] : Object.keys(fields);
  return { op: 'restore', clocks: Object.fromEntries(names.map((name) => [name, time])) };
}
