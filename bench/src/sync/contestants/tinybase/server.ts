/** The TinyBase WsServer with a persisted store. */
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadPeer } from '../../install-peers.ts';
import { serveContestantServer } from '../../serve-contestant.ts';
import { openStore, type Persister, TABLE, waitForRows, waitUntilSaved } from './saved-store.ts';

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

/** The message in which the server announces its content, sent once it is ready. */
const CONTENT_HASHES_MESSAGE = /^S\n\["[^"]*",2,/;

let stop = async (): Promise<void> => undefined;

/**
 * The first device on a path makes the server wait for a timeout of a second and then receives everything twice, which at this
 * size exceeds the limit of 16 MB per connection. So this socket connects first, as another device usually would.
 */
function waitUntilReady(socket: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    socket.on('message', (message: Buffer) => {
      if (CONTENT_HASHES_MESSAGE.test(message.subarray(0, 64).toString())) resolve();
    });
  });
}

serveContestantServer({
  start: async (dir) => {
    const { WebSocket, WebSocketServer } = await loadPeer<Ws>('ws');
    const { createWsServer } = await loadPeer<WsServers>('tinybase/synchronizers/synchronizer-ws-server');
    const { store, persister, sqlite } = await openStore(join(dir, 'rows.sqlite'));
    // TinyBase sends no acknowledgements, so a device asks here whether its rows have been saved.
    const server = createServer((request, response) => {
      const count = Number(new URL(request.url ?? '/', 'http://server').searchParams.get('rows'));
      void waitForRows(store, count)
        .then(() => waitUntilSaved(persister))
        .then(() => response.end());
    });
    const tinybase = createWsServer(new WebSocketServer({ server }), () => persister, console.error);
    stop = async () => {
      await waitUntilSaved(persister);
      await tinybase.destroy();
      sqlite.close();
    };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await waitUntilReady(new WebSocket(`ws://127.0.0.1:${port}/${TABLE}`));
    return port;
  },
  stop: () => stop(),
});
