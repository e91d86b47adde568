/** Lends in-memory databases to tests. Each is a copy of a migrated template, or one that another test has closed, without its rows. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { type Database, type DatabaseConnection, openDatabase } from '../src/db/client.ts';
import { CACHE_DIR, databaseKey } from './database-cache.ts';
import { type EmptyDatabase, readEmptyDatabase } from './empty-database.ts';

/** Tests rarely need more at a time, and each keeps 100 MB. */
const MAX_IDLE = 2;
/**
 * PGlite keeps its process alive, so in a program that needs no more databases, it is closed after this time. Vitest
 * ends its processes itself.
 */
const MAX_IDLE_MS = process.env['VITEST'] === undefined ? 10_000 : 120_000;

interface MemoryDatabase {
  connection: DatabaseConnection;
  pglite: PGlite;
  empty: EmptyDatabase;
}

let template: Promise<Blob> | null = null;
const idle: { database: MemoryDatabase; expiry: NodeJS.Timeout }[] = [];

/** Opens a migrated database in memory that has no rows of learners. */
export async function openMemoryDatabase(): Promise<DatabaseConnection> {
  const kept = idle.pop();
  clearTimeout(kept?.expiry);
  const database = kept?.database ?? (await copyTemplate());
  await renewEpoch(database.connection.db);
  return lend(database);
}

/**
 * Keeps a database that a test has closed for the next test, unless the test has broken it or changed more than rows.
 */
async function takeBack(database: MemoryDatabase): Promise<void> {
  const { connection, pglite, empty } = database;
  const emptied = empty.restore((statements) => pglite.exec(statements)).catch(() => false);
  const isEmpty = (await emptied) && idle.length < MAX_IDLE;
  if (!isEmpty) return connection.close();
  const entry = { database, expiry: setTimeout(expire, MAX_IDLE_MS) };
  idle.push(entry);

  function expire(): void {
    idle.splice(idle.indexOf(entry), 1);
    void connection.close();
  }
}

/** Opens a migrated in-memory database that no test has used, for tests of state that belongs to the connection. */
export async function openNewMemoryDatabase(): Promise<DatabaseConnection> {
  template ??= readTemplate();
  return openDatabase({ type: 'memory', copyOf: await template });
}

/** Opens a copy of a database with all its rows, as a restored backup is. */
export async function copyMemoryDatabase({ jobs }: Pick<DatabaseConnection, 'jobs'>): Promise<DatabaseConnection> {
  if (jobs.type !== 'pglite') throw new Error('A database in memory must be PGlite.');
  return openDatabase({ type: 'memory', copyOf: await jobs.pglite.dumpDataDir('none') });
}

async function copyTemplate(): Promise<MemoryDatabase> {
  const connection = await openNewMemoryDatabase();
  const pglite = pgliteOf(connection);
  return { connection, pglite, empty: await readEmptyDatabase((statements) => pglite.exec(statements)) };
}

/**
 * Returns a separate connection, so that code which a test forgot to stop fails as with a closed database, instead of
 * changing the next test's.
 */
function lend(database: MemoryDatabase): DatabaseConnection {
  let isClosed = false;
  const lent = new Proxy(database.pglite, {
    get: (target, name) => {
      if (isClosed) throw new Error('This test has closed its database.');
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const db = drizzle(lent);
  return {
    ...database.connection,
    db,
    jobs: { type: 'pglite', pglite: lent },
    check: async () => void (await db.execute(sql`select 1`)),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await takeBack(database);
    },
  };
}

function pgliteOf({ jobs }: DatabaseConnection): PGlite {
  if (jobs.type !== 'pglite') throw new Error('A database in memory must be PGlite.');
  return jobs.pglite;
}

/** Gives a copy its own epoch, because devices recognise a database by it. */
export async function renewEpoch(db: Database): Promise<void> {
  await db.execute(sql`update server_state set epoch = gen_random_uuid()::text`);
}

/** The template is kept between runs and shared by all test processes. */
async function readTemplate(): Promise<Blob> {
  const file = join(CACHE_DIR, `pglite-${await databaseKey()}.tar`);
  const cached = await readFile(file).catch(() => null);
  if (cached !== null) return new Blob([cached]);
  const dump = await createTemplate();
  await mkdir(CACHE_DIR, { recursive: true });
  // Several processes may write the template at once, so each renames a complete file into place.
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, new Uint8Array(await dump.arrayBuffer()));
  await rename(partial, file);
  return dump;
}

async function createTemplate(): Promise<Blob> {
  const database = await openDatabase({ type: 'memory' });
  try {
    return await pgliteOf(database).dumpDataDir('none');
  } finally {
    await database.close();
  }
}
