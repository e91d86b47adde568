/** The Parley server on PostgreSQL. */
import { type Postgres, startPostgres } from '../../../processes/start-postgres.ts';
import { processTreeCpuSeconds } from '../../../processes/process-tree-cpu.ts';
import { serveContestantServer } from '../../serve-contestant.ts';
import { type ParleyServer, startParleyServer } from '../../../processes/start-parley-server.ts';

let postgres: Postgres | null = null;
let server: ParleyServer | null = null;

serveContestantServer({
  start: async (dir) => {
    postgres = await startPostgres(dir);
    server = await startParleyServer({ DATABASE_URL: postgres.url });
    return server.port;
  },
  cpuSeconds: async () => processTreeCpuSeconds(process.pid),
  stop: async () => {
    await server?.stop();
    await postgres?.stop();
  },
});
