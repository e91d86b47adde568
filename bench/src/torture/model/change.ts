/** An acknowledged change in the model: its device, its content, and when it can have reached the server. */
import type { Wire } from '../messages.ts';
import type { WordAttempts } from '../oracle/oracle-edit.ts';

export interface ModelField {
  value: unknown;
  /** The later edit of the same device that replaced this field before it was sent. */
  absorbedBy: ModelChange | null;
  isSure: boolean;
}

/** When an edit was made, and what its device had seen by then. */
export interface EditMoment {
  /** The server cannot have received it earlier. */
  madeMs: number;
  /** The real time; null when the clock of the device does not reveal it. */
  trueMs: number | null;
  /** When the last successful sync of the device started. */
  seenMs: number;
}

export interface ModelChange extends EditMoment {
  /** Null when the process was killed before it reported the id. */
  mutationId: string | null;
  device: string;
  /** The position among the changes of its device. */
  order: number;
  table: string;
  rowId: string;
  op: 'upsert' | 'delete';
  creates: boolean;
  fields: Map<string, ModelField>;
  attempts: readonly WordAttempts[];
  /** When the server was known to have it; null while it waits. */
  settledMs: number | null;
  /** False when it was in flight at a kill, or was lost with a damaged database after it may have been sent. */
  isSure: boolean;
  /** True when an app with an older protocol made it. */
  isOldApp: boolean;
}

export const rowKey = ({ table, rowId }: { table: string; rowId: string }): string => `${table} ${rowId}`;

export const toModelFields = (values: Wire): Map<string, ModelField> =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, absorbedBy: null, isSure: true }]));
