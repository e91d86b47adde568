/**
 * When each field of a row was last set. A row is mostly made whole, at one time: that is said once and not for every field, where it
 * would be longer than the row itself.
 */
import { z } from 'zod';
import { isLater } from '../hybrid-clock.ts';

/** Hybrid times by field; under `*` the time of all fields that have none of their own. */
export const FieldClocks = z.record(z.string().max(80), z.string().max(64));
export type FieldClocks = Readonly<Record<string, string>>;

const ALL = '*';
/** Set by the server whatever a device says. */
export const SERVER_SET: ReadonlySet<string> = new Set(['syncVersion', 'deletedAt', 'updatedAt']);

/** The clock of an edit that is later than the clocks of all fields, since it changed none of them. */
export const LAST_EDIT = 'updatedAt';

/** Of a row that was just made, its defaults included. */
export const clocksOfCreation = (time: string): FieldClocks => ({ [ALL]: time });

/** Null for what no device has set. */
export const clockOf = (clocks: FieldClocks, name: string): string | null =>
  clocks[name] ?? (SERVER_SET.has(name) ? null : (clocks[ALL] ?? null));

export const latest = (times: Iterable<string | null | undefined>): string | null => {
  let last: string | null = null;
  for (const time of times) if (time !== null && time !== undefined && isLater(time, last)) last = time;
  return last;
};

/** When the row was last edited; its deletion is no edit. */
export const lastEditOf = ({ deletedAt: _deletedAt, ...edits }: FieldClocks): string | null =>
  latest(Object.values(edits));
