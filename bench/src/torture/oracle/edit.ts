/** An edit that a device acknowledged, as the test knows it: what it says, when it was truly made, and what its device had seen by then. */

/** Where the test does not know what a field was set to. */
export const ANY: unique symbol = Symbol('any value');

export interface ToldField {
  value: unknown;
  /** Not sure: it may have gone with a damaged database, or never have been taken in. */
  isSure: boolean;
}

/** Attempts at one word, made on one device. */
export interface WordAttempts {
  word: string;
  attempts: number;
  meanAccuracy: number;
  lastPracticedAt: string;
  /** Told by an app that counts for all devices together: `attempts` is the total that it knew. */
  isTotal: boolean;
}

export interface OracleEdit {
  device: string;
  /** Counts a device's edits as it made them. */
  order: number;
  table: string;
  rowId: string;
  op: 'upsert' | 'delete';
  creates: boolean;
  fields: ReadonlyMap<string, ToldField>;
  /** For the list of words, in place of its field. */
  attempts: readonly WordAttempts[];
  /** By the clock of the world; null when the server cannot know how far the device's clock was off. */
  trueMs: number | null;
  /** By the wall: the server cannot have it before, and has it since. */
  madeMs: number;
  settledMs: number | null;
  /** What the server had at this moment, the device had seen when it made the edit. */
  seenMs: number;
  isSure: boolean;
}

export type Row = Readonly<Record<string, unknown>>;
/** By table and key. */
export type Rows = ReadonlyMap<string, Row>;

export const keyOf = ({ table, rowId }: { table: string; rowId: string }): string => `${table} ${rowId}`;

export const nameOf = ({ device, order, trueMs, isSure }: OracleEdit): string =>
  `edit ${order} of device ${device.slice(0, 8)} at ${trueMs === null ? 'an unknown time' : new Date(trueMs).toISOString()}${isSure ? '' : ' (in doubt)'}`;

export const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
};
