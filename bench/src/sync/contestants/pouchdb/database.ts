/** Opens PouchDB on LevelDB; declares the part of its interface that the comparison uses. */
import { loadPeer } from '../../install-peers.ts';
import type { PracticeRow } from '../../workload-rows.ts';

export type PouchDocument = Omit<PracticeRow, 'id'> & { _id: string; _rev?: string };

export interface PouchSync {
  /** Fires when a batch has reached its destination. */
  on: (
    event: 'change',
    listener: (batch: { direction: 'push' | 'pull'; change: { docs: unknown[] } }) => void,
  ) => unknown;
  cancel: () => void;
}

export interface PouchDatabase {
  bulkDocs: (documents: readonly PouchDocument[]) => Promise<unknown[]>;
  get: (id: string) => Promise<PouchDocument>;
  put: (document: PouchDocument) => Promise<unknown>;
  allDocs: (options: { include_docs: true }) => Promise<{ rows: { id: string; doc: PouchDocument }[] }>;
  info: () => Promise<{ doc_count: number }>;
  changes: (options: { live: true; since: 'now' }) => {
    on: (event: 'change', listener: () => void) => unknown;
    cancel: () => void;
  };
  replicate: { from: (url: string, options: { batch_size: number; batches_limit: number }) => Promise<unknown> };
  sync: (url: string, options: { live: true; retry: true; batch_size: number }) => PouchSync;
  close: () => Promise<void>;
}

export type PouchConstructor = new (name: string) => PouchDatabase;

interface Pouch {
  default: { defaults: (options: { prefix: string }) => PouchConstructor };
}

export const DATABASE = 'rows';

export async function createPouch(dir: string): Promise<PouchConstructor> {
  const { default: pouch } = await loadPeer<Pouch>('pouchdb-node');
  return pouch.defaults({ prefix: `${dir}/` });
}
