/** A TCP proxy between device and server that counts the bytes in both directions. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CountingProxy {
  port: number;
  /** TCP payload bytes in both directions since the proxy was opened. */
  bytes: () => number;
  close: () => Promise<void>;
}

export async function openCountingProxy(serverPort: number): Promise<CountingProxy> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const trackSocket = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      trackSocket(from);
      from.on('data', (chunk) => {
        bytes += chunk.byteLength;
      });
      from.on('error', () => to.destroy());
      // A broken connection is broken on the other side too; `pipe` forwards an orderly end.
      from.on('close', (hadError) => hadError && to.destroy());
      from.pipe(to);
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    bytes: () => bytes,
    close: async () => {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
