/**
 * Records when each field of a row was last set. Most rows are created all at once, so one shared time covers every field without its own
 * entry and keeps this short.
 */
import { z } from 'zod';
import { isLater } from './hybrid-clock.ts';

/** Hybrid times by field; `*` holds the time of all fields without their own entry. */
export const FieldClocks = z.record(z.string().max(80), z.string().max(64));
export type FieldClocks = Readonly<Record<string, string>>;

const ALL_FIELDS = '*';
/** The server always sets these, whatever a device sends. */
export const SERVER_FIELDS: ReadonlySet<string> = new Set(['syncVersion', 'deletedAt', 'updatedAt']);

/** The clock of an edit that changed no field but is later than every field's clock. */
export const LAST_EDIT = 'updatedAt';

/** The clocks of a newly created row, including its defaults. */
export const initialClocks = (time: string): FieldClocks => ({ [ALL_FIELDS]: time });

/** Null for a field that no device has set. */
export const clockOf = (clocks: FieldClocks, name: string): string | null =>
  clocks[name] ?? (SERVER_FIELDS.has(name) ? null : (clocks[ALL_FIELDS] ?? null));

export const latestTime = (times: Iterable<string | null | undefined>): string | null => {
  let last: string | null = null;
  for (const time of times) if (time !== null && time !== undefined && isLater(time, last)) last = time;
  return last;
};

/** When the row was last edited. A deletion does not count as an edit. */
export const lastEditTime = ({ deletedAt: _deletedAt, ...edits }: FieldClocks): string | null =>
  latestTime(Object.values(edits));
