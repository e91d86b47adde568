/** Lists the contestants: a server and a client each, and a note on how they store data. */

export interface Contestant {
  /** The folder of the contestant under `contestants/`. */
  folder: string;
  name: string;
  /** True when it needs the packages in `bench/peers`. */
  isPeer: boolean;
  /** How it stores and sends data, in one line. */
  note: string;
}

export const CONTESTANTS: readonly Contestant[] = [
  {
    folder: 'parley',
    name: 'Parley',
    isPeer: false,
    note: 'device: SQLite, WAL, synchronous=FULL; server: PGlite in a folder (the default of the server)',
  },
  {
    folder: 'parley-postgres',
    name: 'Parley on PostgreSQL',
    isPeer: false,
    note: 'the same on PostgreSQL 18, fsync on; CPU and disk of the cluster are counted as the server’s',
  },
  {
    folder: 'floor',
    name: 'floor',
    isPeer: false,
    note: 'NDJSON through plain Fastify into one better-sqlite3 transaction, WAL, synchronous=FULL, both sides; no merging, accounts or checks',
  },
  {
    folder: 'rxdb',
    name: 'RxDB',
    isPeer: true,
    note: 'its websocket replication, batches of 1,000; both sides on its Deno KV storage (SQLite, WAL), the free one for Node that keeps more than 500 documents in a file: its SQLite and file storages are sold',
  },
  {
    folder: 'pouchdb',
    name: 'PouchDB',
    isPeer: true,
    note: 'replicate.from in batches of 1,000, then live sync; LevelDB on both sides, which does not sync each write to the disk; server: express-pouchdb, which compresses',
  },
  {
    folder: 'tinybase',
    name: 'TinyBase',
    isPeer: true,
    note: 'MergeableStore in memory, WsServer; both sides save the whole store as one JSON value to SQLite (WAL, synchronous=FULL) after each change',
  },
  {
    folder: 'zero',
    name: 'Zero',
    isPeer: true,
    note: 'zero-cache on PostgreSQL 18 (fsync on) and its API server, all counted as the server; device: memory first, its SQLite store (WAL, synchronous=NORMAL) follows about a second later; no writes while offline',
  },
];

export const moduleUrl = (contestant: Contestant, side: 'server' | 'client'): URL =>
  new URL(`./contestants/${contestant.folder}/${side}.ts`, import.meta.url);
