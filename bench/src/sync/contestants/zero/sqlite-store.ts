/** The SQLite store of Zero on better-sqlite3, which also reports when a write has been committed. */
import Database from 'better-sqlite3';
import { loadPeer } from '../../install-peers.ts';

interface Statement {
  exec: (parameters: string[]) => Promise<void>;
  all: (parameters: string[]) => Promise<unknown[]>;
}
interface SqliteDatabase {
  close: () => void;
  destroy: () => void;
  prepare: (sql: string) => Statement;
  execSync: (sql: string) => void;
}
type OpenDatabase = (file: string) => SqliteDatabase;
interface ZeroSqlite {
  SQLiteStore: new (name: string, create: OpenDatabase, options: { directory: string }) => unknown;
  dropStore: (name: string, create: OpenDatabase, options: { directory: string }) => Promise<void>;
}

interface Waiter {
  bytes: number;
  resolve: () => void;
}

export interface StoreProvider {
  create: (name: string) => unknown;
  drop: (name: string) => Promise<void>;
}

export interface ObservedStore {
  provider: StoreProvider;
  /** Resolves with the next transaction that starts from now on, commits, and writes at least that many bytes. */
  nextWrite: (bytes: number) => Promise<void>;
}

export async function createObservedStore(directory: string): Promise<ObservedStore> {
  const { SQLiteStore, dropStore } = await loadPeer<ZeroSqlite>('@rocicorp/zero/sqlite');
  const waiting = new Set<Waiter>();
  const create: OpenDatabase = (file) => {
    const sqlite = new Database(file);
    let transaction: { written: number; waiting: Waiter[] } | null = null;
    return {
      close: () => sqlite.close(),
      destroy: () => sqlite.close(),
      prepare: (sql) => {
        const statement = sqlite.prepare<string[]>(sql);
        return {
          exec: async (parameters) => {
            if (transaction !== null) transaction.written += parameters.reduce((sum, text) => sum + text.length, 0);
            statement.run(...parameters);
          },
          all: async (parameters) => statement.raw().all(...parameters),
        };
      },
      execSync: (sql) => {
        sqlite.exec(sql);
        // Only write transactions of Zero start with this statement.
        if (sql === 'BEGIN IMMEDIATE') transaction = { written: 0, waiting: [...waiting] };
        if (sql !== 'COMMIT' || transaction === null) return;
        for (const waiter of transaction.waiting)
          if (transaction.written >= waiter.bytes && waiting.delete(waiter)) waiter.resolve();
        transaction = null;
      },
    };
  };
  return {
    provider: {
      create: (name) => new SQLiteStore(name, create, { directory }),
      drop: (name) => dropStore(name, create, { directory }),
    },
    nextWrite: (bytes) => new Promise((resolve) => void waiting.add({ bytes, resolve })),
  };
}
