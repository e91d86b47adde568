/** Opens the database, either PostgreSQL by URL or PGlite in a folder, behind one type. */
import type { PGlite } from '@electric-sql/pglite';
import { preparePrivateFolder, restrictContents } from '@parley/file-permissions';
import { resolve } from 'node:path';
import v8 from 'node:v8';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { batchPgliteMessages } from './embedded/batch-pglite-messages.ts';
import { DamagedDatabase } from './embedded/damaged-database.ts';
import { createDatabaseFolder } from './embedded/create-database-folder.ts';
import { completeRestore, databaseFolders } from './embedded/database-folders.ts';
import { keepBuiltInParsers } from './embedded/keep-built-in-parsers.ts';
import { lockDataFolder } from './embedded/lock-data-folder.ts';
import { CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS } from './timeouts.ts';
import { isDatabaseInTrouble } from './database-failure.ts';
import { createStatementNames, prepareRecurring } from './prepare-recurring.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { createRestoreMarker, type RestoreMarker } from './restore-marker.ts';

/** Transactions have this type too. */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface DatabaseConnection {
  db: Database;
  /** Connects the nodes on the same database; null when there can be only one node. */
  channel: NotificationChannel | null;
  /** Where the job queue keeps its tables; it opens its own connection. */
  jobs: { type: 'postgres'; url: string } | { type: 'pglite'; pglite: PGlite };
  /**
   * Counts confirmed pushes outside an embedded database. It is null when PostgreSQL itself reveals a restore, or when
   * nothing is persisted.
   */
  marker: RestoreMarker | null;
  /** Reports the connections to PostgreSQL; null for an embedded database. */
  pool: (() => { total: number; idle: number; waiting: number }) | null;
  /** Throws when the database does not answer. */
  check: () => Promise<void>;
  close: () => Promise<void>;
}

/** The server's own entries in its data folder; other entries are left alone. */
const DATA_FOLDER = ['postgres', 'secret', 'outbox', 'stripe'];

export const MIGRATIONS_DIR: string = fileURLToPath(new URL('./migrations', import.meta.url));

export type DatabaseLocation =
  | { type: 'postgres'; url: string }
  | { type: 'folder'; dir: string }
  /** `copyOf` is a dump of the data directory with which the database starts. */
  | { type: 'memory'; copyOf?: Blob };

export interface OpenOptions {
  /** False leaves the schema unchanged. */
  migrates?: boolean;
  /** `CONNECT_TIMEOUT_MS` by default. */
  connectTimeoutMs?: number;
  /** How long PostgreSQL may take to answer a query, except while it migrates; `QUERY_TIMEOUT_MS` by default. */
  queryTimeoutMs?: number;
}

/** A connection on which nothing was sent for this long is probed, so that one to a dead computer is noticed. */
const KEEP_ALIVE_MS = 30_000;

/** Connects and migrates the schema. `describeDatabaseFailure` explains what it throws. */
export async function openDatabase(
  location: DatabaseLocation,
  { migrates = true, connectTimeoutMs = CONNECT_TIMEOUT_MS, queryTimeoutMs = QUERY_TIMEOUT_MS }: OpenOptions = {},
): Promise<DatabaseConnection> {
  if (location.type === 'postgres') return openPostgres(location.url, { migrates, connectTimeoutMs, queryTimeoutMs });
  return location.type === 'folder'
    ? openPglite(location.dir, { migrates })
    : openPglite(null, { migrates, ...location });
}

/**
 * By default, PostgreSQL uses 128 MB for its page cache; one computer's database is small, and the system caches its
 * files too.
 */
const SMALL_PAGE_CACHE = ['-c', 'shared_buffers=8MB'];
/** The tables are never analysed, so a plan that was made while they were empty would be kept when they have grown. */
const PLAN_EACH_TIME = ['-c', 'plan_cache_mode=force_custom_plan'];
/**
 * PostgreSQL in WebAssembly is no faster with V8's optimising compiler, because its time is spent between the
 * statements. The compiler, however, needs 500 MB while it works and does not release 100 MB of that.
 */
const NO_OPTIMISING_COMPILER = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

const createHealthCheck = (db: Database) => async (): Promise<void> => {
  await db.execute(sql`select 1`);
};

async function openPostgres(
  url: string,
  { migrates, connectTimeoutMs, queryTimeoutMs }: Required<OpenOptions>,
): Promise<DatabaseConnection> {
  const [{ Client, Pool }, { openNotificationChannel }, { drizzle }, { migrate }] = await Promise.all([
    import('pg').then((module) => module.default),
    import('./notification-channel.ts'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const reliably = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const pool = new Pool({ ...reliably, query_timeout: queryTimeoutMs });
  // The pool replaces a dead connection, and the query that used it fails. Without a listener, the same error would
  // also be emitted as an event and end the process, even for an idle connection.
  pool.on('error', () => undefined);
  const nameOf = createStatementNames();
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareRecurring(client, nameOf);
  });
  const db = drizzle(pool);
  // drizzle never returns a connection whose BEGIN failed (drizzle-orm issue 6023), which would exhaust the pool. Transactions therefore
  // borrow a connection here and always return it.
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let isUnusable = false;
    try {
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      // A new connection may lead to a database that works, such as the new primary after a failover.
      isUnusable = isDatabaseInTrouble(error);
      throw error;
    } finally {
      client.release(isUnusable);
    }
  };
  /**
   * Several nodes may start at once. Drizzle takes no lock, and would run the migrations in each of them. The
   * connection is not the pool's, because a migration of large tables, or waiting for one, takes as long as it takes.
   */
  const migrateAlone = async (): Promise<void> => {
    const client = new Client(reliably);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`select pg_advisory_lock(hashtextextended('migrations', 0))`);
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_DIR });
    } finally {
      // This releases the lock.
      await client.end().catch(() => undefined);
    }
  };
  try {
    if (migrates) await migrateAlone();
    else await db.execute(sql`select 1`);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const channel = openNotificationChannel(url, (statement) => pool.query(statement));
  return {
    db,
    channel,
    jobs: { type: 'postgres', url },
    marker: null,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    check: createHealthCheck(db),
    close: async () => {
      await channel.close();
      await pool.end();
    },
  };
}

async function openPglite(
  dir: string | null,
  { migrates, copyOf }: { migrates: boolean; copyOf?: Blob },
): Promise<DatabaseConnection> {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ]);
  const isPrivate = dir !== null && preparePrivateFolder(dir) === null;
  const unlock = dir === null ? () => undefined : lockDataFolder(dir);
  if (dir !== null) {
    completeRestore(dir);
    await createDatabaseFolder(dir);
  }
  // An in-memory database belongs to a test or to the check of a backup, whose process ends before its memory matters.
  if (dir !== null) for (const flag of NO_OPTIMISING_COMPILER) v8.setFlagsFromString(flag);
  const startParams = [...PGlite.defaultStartParams, ...SMALL_PAGE_CACHE, ...PLAN_EACH_TIME];
  const pglite =
    dir === null
      ? new PGlite({ startParams, ...(copyOf === undefined ? {} : { loadDataDir: copyOf }) })
      : new PGlite(databaseFolders(dir).database, { startParams });
  await pglite.waitReady.catch((error: unknown) => {
    unlock();
    // The errors of its file system, such as a full disk, are not instances of `Error`.
    throw dir !== null && error instanceof Error ? new DamagedDatabase(dir, error) : error;
  });
  keepBuiltInParsers(pglite);
  const db = drizzle(pglite);
  if (migrates) await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
  batchPgliteMessages(pglite, createStatementNames());
  // PGlite creates files with modes as wide as 666, and earlier versions of the server left others open as well.
  if (isPrivate) await restrictContents(dir, DATA_FOLDER);
  return {
    db,
    channel: null,
    pool: null,
    jobs: { type: 'pglite', pglite },
    // The marker is next to the folder, so that restoring a copy of the folder does not restore the marker.
    marker: dir === null ? null : createRestoreMarker(`${resolve(dir)}.restore-marker.json`),
    check: createHealthCheck(db),
    close: async () => {
      await pglite.close();
      unlock();
    },
  };
}
