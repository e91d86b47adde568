/** PouchDB's own CouchDB-compatible server, with what it says that another PouchDB needs. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { loadPeer } from '../../peers.ts';
import { serveServer } from '../../serve.ts';
import { DATABASE, type PouchConstructor, type PouchDatabase, pouchIn } from './database.ts';

interface Express {
  default: () => { use: (handler: unknown) => void; listen: (port: number, host: string) => Server };
}
interface ExpressPouch {
  default: (pouch: PouchConstructor, options: { mode: string; inMemoryConfig: boolean }) => unknown;
}

let database: PouchDatabase | null = null;

serveServer({
  start: async (dir) => {
    const { default: express } = await loadPeer<Express>('express');
    const { default: expressPouch } = await loadPeer<ExpressPouch>('express-pouchdb');
    const Pouch = await pouchIn(dir);
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
