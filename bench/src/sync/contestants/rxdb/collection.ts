/** Opens the RxDB collection on disk; declares the part of the RxDB interface that the comparison uses. */
import { loadPeer } from '../../install-peers.ts';
import type { PracticeRow } from '../../workload-rows.ts';

interface RxDocument {
  incrementalPatch: (changes: Partial<PracticeRow>) => Promise<unknown>;
  toJSON: () => PracticeRow;
}

export interface RxCollection {
  bulkInsert: (rows: readonly PracticeRow[]) => Promise<{ error: unknown[] }>;
  find: () => { exec: () => Promise<RxDocument[]> };
  findOne: (id: string) => { exec: () => Promise<RxDocument | null> };
  count: () => { exec: () => Promise<number> };
  $: { subscribe: (listener: () => void) => unknown };
}

export interface RxDatabase {
  addCollections: (schemas: Record<string, unknown>) => Promise<{ rows: RxCollection }>;
  close: () => Promise<unknown>;
}

const DATABASE = 'race';
/** Deno KV allows 1,000 writes per transaction, and each document writes one entry per index as well. */
const DOCUMENTS_PER_TRANSACTION = 100;

const text = { type: 'string' };
const score = { type: ['number', 'null'] };

const SCHEMA = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 36 },
    practiceId: text,
    agentId: text,
    feedback: { type: ['object', 'null'] },
    score,
    accuracyScore: score,
    fluencyScore: score,
    prosodyScore: score,
    completenessScore: score,
    pronScore: score,
    wordsScore: score,
    completedObjectives: { type: 'array', items: { type: 'object' } },
    duration: { type: 'number' },
    communicationStyle: text,
    status: text,
    summary: text,
    difficulty: text,
    turns: { type: 'array', items: { type: 'object' } },
  },
};

interface RxDB {
  createRxDatabase: (options: { name: string; storage: unknown; multiInstance: boolean }) => Promise<RxDatabase>;
}
interface DenoKvStorage {
  getRxStorageDenoKV: (options: { consistencyLevel: string; openKvPath: string; batchSize: number }) => unknown;
}
interface DenoKv {
  openKv: (path: string, options: { implementation: 'sqlite' }) => Promise<unknown>;
}

export async function openCollection(file: string): Promise<{ database: RxDatabase; rows: RxCollection }> {
  const { openKv } = await loadPeer<DenoKv>('@deno/kv');
  // RxDB expects the global of Deno, which the npm package of Deno KV provides on Node.
  Object.assign(globalThis, { Deno: { openKv: (path: string) => openKv(path, { implementation: 'sqlite' }) } });
  const { createRxDatabase } = await loadPeer<RxDB>('rxdb');
  const { getRxStorageDenoKV } = await loadPeer<DenoKvStorage>('rxdb/plugins/storage-denokv');
  const storage = getRxStorageDenoKV({
    consistencyLevel: 'strong',
    openKvPath: file,
    batchSize: DOCUMENTS_PER_TRANSACTION,
  });
  const database = await createRxDatabase({ name: DATABASE, storage, multiInstance: false });
  const { rows } = await database.addCollections({ rows: { schema: SCHEMA } });
  return { database, rows };
}
