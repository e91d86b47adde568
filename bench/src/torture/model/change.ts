/** One acknowledged change as the model keeps it: who made it, what it says, and between which moments it can have arrived. */
import type { Wire } from '../messages.ts';
import type { WordAttempts } from '../oracle/edit.ts';

export interface ModelField {
  value: unknown;
  /** A later edit of the same device took this field over before it was ever sent. */
  absorbedBy: Change | null;
  isSure: boolean;
}

/** When an edit was made, and what its device had seen by then. */
export interface EditMoment {
  /** The server cannot have it before. */
  madeMs: number;
  /** By the clock of the world; null when it cannot be told from the device's clock. */
  trueMs: number | null;
  /** The device's last sync that ended well began here. */
  seenMs: number;
}

export interface Change extends EditMoment {
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
  attempts: readonly WordAttempts[];
  /** The server has it since; null while it waits. */
  settledMs: number | null;
  /** Not sure: it was in flight at a kill, or went with a damaged database after it may have been sent. Then it may have come to pass or not. */
  isSure: boolean;
  /** Of an app that speaks an older protocol. */
  isOldApp: boolean;
}

export const rowKey = ({ table, rowId }: { table: string; rowId: string }): string => `${table} ${rowId}`;

export const fieldsOf = (values: Wire): Map<string, ModelField> =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, absorbedBy: null, isSure: true }]));
