/** The Parley server on its default database, PGlite in a folder. */
import { serveContestantServer } from '../../serve-contestant.ts';
import { type ParleyServer, startParleyServer } from '../../../processes/start-parley-server.ts';

let server: ParleyServer | null = null;

serveContestantServer({
  start: async (dir) => {
    server = await startParleyServer({ DATA_DIR: dir });
    return server.port;
  },
  cpuSeconds: async () => (await server?.cpuSeconds()) ?? Number.NaN,
  stop: async () => server?.stop(),
});
