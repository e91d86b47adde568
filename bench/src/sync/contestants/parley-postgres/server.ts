/** Parley's server on PostgreSQL. */
import { type Postgres, startPostgres } from '../../postgres.ts';
import { treeCpuSeconds } from '../../process-tree.ts';
import { serveServer } from '../../serve.ts';
import { type ParleyServer, startParleyServer } from '../parley/start-server.ts';

let postgres: Postgres | null = null;
let server: ParleyServer | null = null;

serveServer({
  start: async (dir) => {
    postgres = await startPostgres(dir);
    server = await startParleyServer({ DATABASE_URL: postgres.url });
    return server.port;
  },
  cpuSeconds: async () => treeCpuSeconds(process.pid),
  stop: async () => {
    await server?.stop();
    await postgres?.stop();
  },
});
