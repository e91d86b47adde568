/** The RxDB websocket server with its own database. */
import { type EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadPeer } from '../../install-peers.ts';
import { serveContestantServer } from '../../serve-contestant.ts';
import { openCollection, type RxDatabase } from './collection.ts';

interface WebsocketReplication {
  startWebsocketServer: (options: { port: number; host: string; database: RxDatabase; path: string }) => {
    server: EventEmitter & { address: () => AddressInfo };
  };
}

let database: RxDatabase | null = null;

serveContestantServer({
  start: async (dir) => {
    ({ database } = await openCollection(join(dir, 'rows.sqlite')));
    const { startWebsocketServer } = await loadPeer<WebsocketReplication>('rxdb/plugins/replication-websocket');
    const { server } = startWebsocketServer({ port: 0, host: '127.0.0.1', database, path: '/rows' });
    await once(server, 'listening');
    return server.address().port;
  },
  stop: async () => void (await database?.close()),
});
