/**
 * Data folders for servers that tests start in separate processes. Each is a copy of the folder of a server that has
 * started once, because creating a database and its tables takes longer than most tests.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE_DIR, databaseKey } from './database-cache.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface ServerFolder {
  dir: string;
  remove: () => Promise<void>;
}

/** Creates a data folder with its own database, which contains no accounts. */
export async function createServerFolder(): Promise<ServerFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-server-'));
  const marker = `${dir}.restore-marker.json`;
  await cp(await ensureServerTemplate(), dir, { recursive: true });
  // The server takes its database for a restored one and begins a new epoch, so that devices do not mistake two copies
  // for one database.
  await writeFile(marker, JSON.stringify({ epoch: randomUUID(), commits: 0 }));
  return {
    dir,
    remove: async () => {
      for (const path of [dir, marker]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Returns the folder that is copied. It is kept between runs and shared by all test processes. */
export async function ensureServerTemplate(): Promise<string> {
  const template = join(CACHE_DIR, `server-${await databaseKey()}`);
  if (existsSync(template)) return template;
  await mkdir(CACHE_DIR, { recursive: true });
  const partial = `${template}.${randomUUID()}`;
  await startOnce(partial);
  // Each server generates its own secret.
  await rm(join(partial, 'secret'), { force: true });
  await rm(`${partial}.restore-marker.json`, { force: true });
  // Several processes may create the template at the same time; the first one to finish wins.
  await rename(partial, template).catch(async (error: unknown) => {
    if (!existsSync(template)) throw error;
    await rm(partial, { recursive: true, force: true });
  });
  return template;
}

async function startOnce(dir: string): Promise<void> {
  const server = fork(MAIN, {
    env: { ...process.env, NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(server, 'exit');
  await Promise.race([
    once(server, 'message'),
    exited.then(() => Promise.reject(new Error('The server exited before it was ready.'))),
  ]);
  server.disconnect();
  await exited;
}
