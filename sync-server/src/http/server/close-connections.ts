/** Closes idle connections on shutdown, so that they do not keep the server from stopping. */
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/** Responses in progress get this long. A slower reader has to repeat its request. */
const SHUTDOWN_GRACE_MS = 10_000;

export function closeConnectionsOnShutdown(app: FastifyInstance): void {
  // Node treats a connection without any request as busy, and clients open such connections in advance.
  const unusedSockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unusedSockets.add(socket);
    socket.on('close', () => unusedSockets.delete(socket));
  });
  // The WebSocket route closes its own connections. With a listener for `upgrade` here, we would also have to answer upgrade requests and
  // handle the errors of their sockets, even on servers without that route.
  app.addHook('onRequest', async ({ raw }) => void unusedSockets.delete(raw.socket));
  app.addHook('preClose', async () => {
    for (const socket of unusedSockets) socket.destroy();
    setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
  });
}
