/** Limits open connections in total, and per address until a request on the connection has authenticated. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';

/** Each connection takes 10 to 40 KiB. */
const MAX_CONNECTIONS = 10_000;
/** A whole school may share one address, so a connection stops counting once a request on it has authenticated. */
const MAX_UNPROVEN_PER_ADDRESS = 256;

export interface ConnectionLimits {
  /** Records that a request on this connection has authenticated. */
  markProven: (request: FastifyRequest) => void;
}

export function limitConnections(
  app: FastifyInstance,
  { maxConnections = MAX_CONNECTIONS, isBehindProxy }: { maxConnections?: number | undefined; isBehindProxy: boolean },
): ConnectionLimits {
  app.server.maxConnections = maxConnections;
  // Behind a load balancer all connections come from its address, so the balancer has to limit them.
  if (isBehindProxy) return { markProven: () => undefined };
  const unprovenByAddress = new Map<string, Set<Socket>>();
  const forget = (socket: Socket, address: string): void => {
    const unproven = unprovenByAddress.get(address);
    unproven?.delete(socket);
    if (unproven?.size === 0) unprovenByAddress.delete(address);
  };
  const addressBySocket = new WeakMap<Socket, string>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const unproven = unprovenByAddress.get(address) ?? new Set<Socket>();
    unprovenByAddress.set(address, unproven.add(socket));
    addressBySocket.set(socket, address);
    socket.once('close', () => forget(socket, address));
    // The oldest unauthenticated connection is closed: a genuine client authenticates within milliseconds.
    const [oldest] = unproven;
    if (unproven.size > MAX_UNPROVEN_PER_ADDRESS) oldest?.destroy();
  });
  return {
    markProven: ({ raw: { socket } }) => {
      const address = addressBySocket.get(socket);
      if (address !== undefined) forget(socket, address);
    },
  };
}
