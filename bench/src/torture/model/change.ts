/** One acknowledged change as the model keeps it: who made it, what it says, and between which moments it can have arrived. */
import type { Wire } from '../messages.ts';

export interface ModelField {
  value: unknown;
  /** A later edit of the same device took this field over before it was ever sent. */
  absorbedBy: Change | null;
  isSure: boolean;
}

export interface Change {
  /** Null when its process was killed before it could say so. */
  mutationId: string | null;
  device: string;
  /** Counts a device's changes as it made them. */
  order: number;
  table: string;
  rowId: string;
  op: 'upsert' | 'delete';
  creates: boolean;
  fields: Map<string, ModelField>;
  /** The device's hybrid time; null when nobody knows it. */
  at: string | null;
  /** The server cannot have it before. */
  madeMs: number;
  /** The server has it since; null while it waits. */
  settledMs: number | null;
  /** Not sure: it was in flight at a kill, or went with a damaged database after it may have been sent. Then it may have come to pass or not. */
  isSure: boolean;
}

export const rowKey = ({ table, rowId }: { table: string; rowId: string }): string => `${table} ${rowId}`;

export const fieldsOf = (values: Wire): Map<string, ModelField> =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, absorbedBy: null, isSure: true }]));
