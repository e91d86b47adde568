/** The CouchDB-compatible server of PouchDB, limited to what another PouchDB needs. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { loadPeer } from '../../install-peers.ts';
import { serveContestantServer } from '../../serve-contestant.ts';
import { DATABASE, type PouchConstructor, type PouchDatabase, createPouch } from './database.ts';

interface Express {
  default: () => { use: (handler: unknown) => void; listen: (port: number, host: string) => Server };
}
interface ExpressPouch {
  default: (pouch: PouchConstructor, options: { mode: string; inMemoryConfig: boolean }) => unknown;
}

let database: PouchDatabase | null = null;

serveContestantServer({
  start: async (dir) => {
    const { default: express } = await loadPeer<Express>('express');
    const { default: expressPouch } = await loadPeer<ExpressPouch>('express-pouchdb');
    const Pouch = await createPouch(dir);
    database = new Pouch(DATABASE);
    await database.info();
    const app = express();
    app.use(expressPouch(Pouch, { mode: 'minimumForPouchDB', inMemoryConfig: true }));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
  stop: async () => database?.close(),
});
