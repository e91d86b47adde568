/** Defines an acknowledged edit for the oracle: its content, its real time, and what its device had seen by then. */

/** Stands for a value that the test does not know. */
export const UNKNOWN_VALUE: unique symbol = Symbol('any value');

export interface KnownField {
  value: unknown;
  /** False when it may have been lost with a damaged database, or never accepted. */
  isSure: boolean;
}

/** Attempts at one word on one device. */
export interface WordAttempts {
  word: string;
  attempts: number;
  meanAccuracy: number;
  lastPracticedAt: string;
  /** True for an old app, which counts for all devices: `attempts` is then the total that it knew. */
  isTotal: boolean;
}

export interface OracleEdit {
  device: string;
  /** The position among the edits of its device. */
  order: number;
  table: string;
  rowId: string;
  op: 'upsert' | 'delete';
  creates: boolean;
  fields: ReadonlyMap<string, KnownField>;
  /** Replaces the field of the word list. */
  attempts: readonly WordAttempts[];
  /** The real time; null when the server cannot know the offset of the device clock. */
  trueMs: number | null;
  /** Real times between which it reached the server: not before `madeMs`, and surely by `settledMs`. */
  madeMs: number;
  settledMs: number | null;
  /** The device had seen everything that the server had at this time. */
  seenMs: number;
  isSure: boolean;
  /**
   * True if the edit states the version on which it was based. Protocol 2 cannot do that, so there only times decide.
   */
  hasBase: boolean;
}

export type Row = Readonly<Record<string, unknown>>;
/** Rows by table and key. */
export type Rows = ReadonlyMap<string, Row>;

export const rowKey = ({ table, rowId }: { table: string; rowId: string }): string => `${table} ${rowId}`;

export const describeEdit = ({ device, order, trueMs, isSure }: OracleEdit): string =>
  `edit ${order} of device ${device.slice(0, 8)} at ${trueMs === null ? 'an unknown time' : new Date(trueMs).toISOString()}${isSure ? '' : ' (in doubt)'}`;

export const abbreviate = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
};
