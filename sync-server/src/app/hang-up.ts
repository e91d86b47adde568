/** Lets a closing server end: requests are answered, but nobody who only holds a line open keeps it from stopping. */
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/** For answers under way; whoever reads slower than this asks again. */
const GRACE_MS = 10_000;

export function hangUpOnClose(app: FastifyInstance): void {
  // Node counts a connection on which nothing was ever asked as busy. Clients open such, in advance.
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.on('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  // Who becomes a WebSocket is told by its own route that the server closes.
  app.server.on('upgrade', ({ socket }) => silent.delete(socket));
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
  });
}
