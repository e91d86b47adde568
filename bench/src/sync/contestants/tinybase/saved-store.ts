/** The mergeable store of TinyBase, saved to SQLite after each change; declares the part of its interface that is used. */
import Database from 'better-sqlite3';
import { loadPeer } from '../../install-peers.ts';
import type { PracticeRow } from '../../workload-rows.ts';

type Cells = Record<string, string | number>;

export interface MergeableStore {
  setRow: (table: string, id: string, cells: Cells) => unknown;
  setCell: (table: string, id: string, cell: string, value: string) => unknown;
  getCell: (table: string, id: string, cell: string) => string | undefined;
  getRowCount: (table: string) => number;
  getRowIds: (table: string) => string[];
  transaction: (work: () => void) => void;
  addTablesListener: (listener: () => void) => string;
  delListener: (id: string) => unknown;
}

export interface Persister {
  load: () => Promise<unknown>;
  startAutoSave: () => Promise<unknown>;
  /** 0 when it is idle. */
  getStatus: () => number;
  addStatusListener: (listener: () => void) => string;
  delListener: (id: string) => unknown;
  destroy: () => Promise<unknown>;
}

export interface PersistedStore {
  store: MergeableStore;
  persister: Persister;
  sqlite: Database.Database;
}

interface TinyBase {
  createMergeableStore: () => MergeableStore;
}
interface SqlitePersister {
  createBetterSqlite3Persister: (
    store: MergeableStore,
    db: Database.Database,
    config: { mode: 'json'; autoLoadIntervalSeconds: number },
  ) => Persister;
}

export const TABLE = 'rows';
const IDLE = 0;
/** The poll mistakes its own save for an external change, and the server then sends everything to every device. */
const AUTO_LOAD_INTERVAL_S = 24 * 3_600;

/** Returns the store before it is loaded or saves automatically. */
export async function openStore(file: string): Promise<PersistedStore> {
  const { createMergeableStore } = await loadPeer<TinyBase>('tinybase');
  const module = 'tinybase/persisters/persister-better-sqlite3';
  const { createBetterSqlite3Persister } = await loadPeer<SqlitePersister>(module);
  const sqlite = new Database(file);
  sqlite.pragma('journal_mode = WAL');
  const store = createMergeableStore();
  return {
    store,
    sqlite,
    persister: createBetterSqlite3Persister(store, sqlite, {
      mode: 'json',
      autoLoadIntervalSeconds: AUTO_LOAD_INTERVAL_S,
    }),
  };
}

/** A cell holds text, a number or a boolean, so nested values become JSON and nulls are omitted. */
export const toCells = (row: PracticeRow): Cells =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => name !== 'id' && value !== null)
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  );

export async function waitForRows(store: MergeableStore, count: number): Promise<void> {
  while (store.getRowCount(TABLE) < count)
    await new Promise<void>((resolve) => {
      const listener = store.addTablesListener(() => {
        store.delListener(listener);
        resolve();
      });
    });
}

/** Resolves when the current content of the store has been saved. */
export async function waitUntilSaved(persister: Persister): Promise<void> {
  // A save starts in the same turn of the event loop as the change.
  await new Promise((resolve) => void setImmediate(resolve));
  while (persister.getStatus() !== IDLE)
    await new Promise<void>((resolve) => {
      const listener = persister.addStatusListener(() => {
        persister.delListener(listener);
        resolve();
      });
    });
}
