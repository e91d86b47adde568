/** The parts of the protocol's messages that this client reads. */
import type { Clocks, Row } from './merge-rules.ts';

export interface Change {
  id: string;
  table: string;
  rowId: string;
  op: 'upsert' | 'delete' | 'restore';
  fields: Row;
  at: string;
  base: number;
  clocks?: Clocks;
}

export interface TableRows {
  table: string;
  fields: string[];
  rows: unknown[][];
}
export interface Cursors {
  catalogue: number;
  user: number;
  older: number | null;
}
export interface Page {
  epoch: string;
  userId: string;
  tables: TableRows[];
  next: Cursors;
}
export interface Outcome {
  id: string;
  status: 'applied' | 'merged' | 'duplicate' | 'rejected';
  at?: string;
  code?: string;
  refused?: { field: string; code: string }[];
}
export interface PushResponse {
  epoch: string;
  outcomes: Outcome[];
  lastSeq: number;
  userVersion: number;
  previousVersion: number;
  at: string;
  rows: TableRows[];
}
