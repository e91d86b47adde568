/** The database: PostgreSQL by address, or PGlite in a folder, behind one type. */
import type { PGlite } from '@electric-sql/pglite';
import { preparePrivateFolder, restrictContents } from '@parley/file-permissions';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Channel } from './channel.ts';
import { createRestoreMarker, type RestoreMarker } from './restore-marker.ts';

/** Also what a transaction hands out. */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface DatabaseConnection {
  db: Database;
  /** To the other nodes on the same database; null where there can be none. */
  channel: Channel | null;
  /** Where a queue of jobs keeps its tables; they are its own, as is how it connects. */
  jobs: { type: 'postgres'; url: string } | { type: 'pglite'; pglite: PGlite };
  /** Counts what was confirmed, beside a database in a folder; null where PostgreSQL itself tells whether it was restored, or nothing lasts. */
  marker: RestoreMarker | null;
  /** Throws when the database does not answer. */
  check: () => Promise<void>;
  close: () => Promise<void>;
}

/** What the server keeps in its data folder; what else lies there is not ours. */
const DATA_FOLDER = ['postgres', 'secret', 'outbox', 'stripe'];

const MIGRATIONS_DIR = fileURLToPath(new URL('./migrations', import.meta.url));

export type DatabaseLocation = { type: 'postgres'; url: string } | { type: 'folder'; dir: string } | { type: 'memory' };

/** Connects and brings the schema up to date. */
export async function openDatabase(location: DatabaseLocation): Promise<DatabaseConnection> {
  return location.type === 'postgres'
    ? openPostgres(location.url)
    : openPglite(location.type === 'folder' ? location.dir : null);
}

const checkOf = (db: Database) => async (): Promise<void> => {
  await db.execute(sql`select 1`);
};

async function openPostgres(url: string): Promise<DatabaseConnection> {
  const [{ Pool }, { openChannel }, { drizzle }, { migrate }] = await Promise.all([
    import('pg').then((module) => module.default),
    import('./channel.ts'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const pool = new Pool({ connectionString: url });
  // A connection that dies is replaced by the pool, and who used it gets its error from the query; unheard, the same
  // error as an event would end the process, be it of an idle connection or of one between two queries.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool);
  // drizzle keeps a connection for ever whose BEGIN failed (drizzle-orm issue 6023): ten of these, and nothing is
  // answered any more. So transactions borrow theirs here, and give it back whatever happens.
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
  const channel = openChannel(url, (text, values) => pool.query(text, values));
  return {
    db,
    channel,
    jobs: { type: 'postgres', url },
    marker: null,
    check: checkOf(db),
    close: async () => {
      await channel.close();
      await pool.end();
    },
  };
}

async function openPglite(dir: string | null): Promise<DatabaseConnection> {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ]);
  const isPrivate = dir !== null && preparePrivateFolder(dir) === null;
  const pglite = dir === null ? new PGlite() : new PGlite(join(dir, 'postgres'));
  await pglite.waitReady;
  const db = drizzle(pglite);
  await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
  // PGlite sets the modes of its files by itself, as wide as 666 when it makes a database; earlier versions left others open as well.
  if (isPrivate) await restrictContents(dir, DATA_FOLDER);
  return {
    db,
    channel: null,
    jobs: { type: 'pglite', pglite },
    // Beside the folder and not in it, so that a copy of the folder that is put back does not bring its own.
    marker: dir === null ? null : createRestoreMarker(`${resolve(dir)}.restore-marker.json`),
    check: checkOf(db),
    close: () => pglite.close(),
  };
}
