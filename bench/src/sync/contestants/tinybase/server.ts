/** TinyBase's WsServer with a store that is saved. */
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadPeer } from '../../peers.ts';
import { serveServer } from '../../serve.ts';
import { openStore, type Persister, TABLE, untilRows, untilSaved } from './saved-store.ts';

interface Ws {
  WebSocket: new (url: string) => EventEmitter;
  WebSocketServer: new (options: { server: unknown }) => unknown;
}
interface WsServers {
  createWsServer: (
    webSockets: unknown,
    persisterOf: () => Persister,
    onIgnoredError: (error: unknown) => void,
  ) => { destroy: () => Promise<unknown> };
}

/** Of a message: the server tells what it holds, which it does once it is ready. */
const HASHES = /^S\n\["[^"]*",2,/;

let stop = async (): Promise<void> => undefined;

/**
 * The first device on a path makes its server wait for a time-out of a second, and is then sent everything twice, which at
 * this size breaks the server's bound of 16 MB a connection. Here, as mostly in life, another device is there already.
 */
function untilReady(socket: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    socket.on('message', (message: Buffer) => {
      if (HASHES.test(message.subarray(0, 64).toString())) resolve();
    });
  });
}

serveServer({
  start: async (dir) => {
    const { WebSocket, WebSocketServer } = await loadPeer<Ws>('ws');
    const { createWsServer } = await loadPeer<WsServers>('tinybase/synchronizers/synchronizer-ws-server');
    const { store, persister, sqlite } = await openStore(join(dir, 'rows.sqlite'));
    // TinyBase acknowledges nothing: a device asks here whether its rows have been saved.
    const server = createServer((request, response) => {
      const count = Number(new URL(request.url ?? '/', 'http://server').searchParams.get('rows'));
      void untilRows(store, count)
        .then(() => untilSaved(persister))
        .then(() => response.end());
    });
    const tinybase = createWsServer(new WebSocketServer({ server }), () => persister, console.error);
    stop = async () => {
      await untilSaved(persister);
      await tinybase.destroy();
      sqlite.close();
    };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await untilReady(new WebSocket(`ws://127.0.0.1:${port}/${TABLE}`));
    return port;
  },
  stop: () => stop(),
});
