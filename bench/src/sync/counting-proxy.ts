/** A TCP line between device and server that counts what passes, either way. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CountingProxy {
  port: number;
  /** Payload bytes of TCP, both directions, since it was opened. */
  bytes: () => number;
  close: () => Promise<void>;
}

export async function openCountingProxy(serverPort: number): Promise<CountingProxy> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  };
  const line = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(from);
      from.on('data', (chunk) => {
        bytes += chunk.byteLength;
      });
      from.on('error', () => to.destroy());
      // A line that broke breaks on the other side too; one that ended in good order is ended by the pipe.
      from.on('close', (hadError) => hadError && to.destroy());
      from.pipe(to);
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    port: address.port,
    bytes: () => bytes,
    close: async () => {
      const closed = once(line, 'close');
      line.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
