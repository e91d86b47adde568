/** The Zero server: PostgreSQL, zero-cache with its replica, and the API server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { peerFile } from '../../install-peers.ts';
import { findFreePort, type Postgres, startPostgres } from '../../../processes/start-postgres.ts';
import { processTreeCpuSeconds } from '../../../processes/process-tree-cpu.ts';
import { serveContestantServer } from '../../serve-contestant.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const POLL_MS = 100;
const CLI = '@rocicorp/zero/out/zero/src/cli.js';

let postgres: Postgres | null = null;
let api: ApiServer | null = null;
let cache: ChildProcess | null = null;

async function startCache(dir: string, parts: { databaseUrl: string; apiPort: number }): Promise<number> {
  const port = await findFreePort();
  cache = spawn(process.execPath, [peerFile(CLI)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ZERO_UPSTREAM_DB: parts.databaseUrl,
      ZERO_REPLICA_FILE: join(dir, 'replica.sqlite'),
      ZERO_PORT: String(port),
      ZERO_CHANGE_STREAMER_PORT: String(await findFreePort()),
      ZERO_MUTATE_URL: `http://127.0.0.1:${parts.apiPort}/mutate`,
      ZERO_QUERY_URL: `http://127.0.0.1:${parts.apiPort}/query`,
      ZERO_ADMIN_PASSWORD: 'race',
      ZERO_LOG_LEVEL: 'error',
      ZERO_ENABLE_TELEMETRY: 'false',
    },
  });
  while (!(await isReachable(port))) {
    if (cache.exitCode !== null) throw new Error('zero-cache has ended');
    await wait(POLL_MS);
  }
  return port;
}

const isReachable = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/keepalive`).then(
    ({ ok }) => ok,
    () => false,
  );

// An aborted run must not leave the process behind.
process.on('exit', () => cache?.kill('SIGTERM'));

serveContestantServer({
  start: async (dir) => {
    postgres = await startPostgres(dir, ['wal_level=logical']);
    api = await startApiServer(postgres.url);
    return startCache(dir, { databaseUrl: postgres.url, apiPort: api.port });
  },
  cpuSeconds: async () => processTreeCpuSeconds(process.pid),
  stop: async () => {
    if (cache !== null && cache.exitCode === null) {
      const exited = once(cache, 'exit');
      cache.kill('SIGTERM');
      await exited;
    }
    await api?.stop();
    await postgres?.stop();
  },
});
