/** Parley's server on its default database, PGlite in a folder. */
import { serveServer } from '../../serve.ts';
import { type ParleyServer, startParleyServer } from './start-server.ts';

let server: ParleyServer | null = null;

serveServer({
  start: async (dir) => {
    server = await startParleyServer({ DATA_DIR: dir });
    return server.port;
  },
  cpuSeconds: async () => (await server?.cpuSeconds()) ?? Number.NaN,
  stop: async () => server?.stop(),
});
