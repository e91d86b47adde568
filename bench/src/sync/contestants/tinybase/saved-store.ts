/** TinyBase's mergeable store, saved to SQLite after each change, and the part of its interface that the race uses. */
import Database from 'better-sqlite3';
import { loadPeer } from '../../peers.ts';
import type { PracticeRow } from '../../rows.ts';

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
  /** 0 when it neither loads nor saves. */
  getStatus: () => number;
  addStatusListener: (listener: () => void) => string;
  delListener: (id: string) => unknown;
  destroy: () => Promise<unknown>;
}

export interface SavedStore {
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
/** Its poll takes each save of its own for news from elsewhere, and the server then sends everything to everybody. */
const SELDOM_S = 24 * 3_600;

/** Neither loaded nor saving yet. */
export async function openStore(file: string): Promise<SavedStore> {
  const { createMergeableStore } = await loadPeer<TinyBase>('tinybase');
  const module = 'tinybase/persisters/persister-better-sqlite3';
  const { createBetterSqlite3Persister } = await loadPeer<SqlitePersister>(module);
  const sqlite = new Database(file);
  sqlite.pragma('journal_mode = WAL');
  const store = createMergeableStore();
  return {
    store,
    sqlite,
    persister: createBetterSqlite3Persister(store, sqlite, { mode: 'json', autoLoadIntervalSeconds: SELDOM_S }),
  };
}

/** A cell holds text, a number or a truth: what is nested goes in as JSON, what is null is left out. */
export const cellsOf = (row: PracticeRow): Cells =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => name !== 'id' && value !== null)
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  );

export async function untilRows(store: MergeableStore, count: number): Promise<void> {
  while (store.getRowCount(TABLE) < count)
    await new Promise<void>((resolve) => {
      const listener = store.addTablesListener(() => {
        store.delListener(listener);
        resolve();
      });
    });
}

/** Until what the store holds now has been saved. */
export async function untilSaved(persister: Persister): Promise<void> {
  // A save begins in the turn of the loop in which the change was made.
  await new Promise((resolve) => void setImmediate(resolve));
  while (persister.getStatus() !== IDLE)
    await new Promise<void>((resolve) => {
      const listener = persister.addStatusListener(() => {
        persister.delListener(listener);
        resolve();
      });
    });
}
