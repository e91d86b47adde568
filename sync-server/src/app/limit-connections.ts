/** Limits how many connections are open: over all, and of one address before any of its requests has proved whose it is. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';

/** Each takes 10 to 40 KiB. */
const MAX_CONNECTIONS = 10_000;
/** Behind one address may be a whole school: a connection no longer counts once a request on it has proved whose it is. */
const UNPROVEN_PER_ADDRESS = 256;

export interface ConnectionLimits {
  /** A request on this connection has proved whose it is. */
  prove: (request: FastifyRequest) => void;
}

export function limitConnections(
  app: FastifyInstance,
  { maxConnections = MAX_CONNECTIONS, isBehindProxy }: { maxConnections?: number | undefined; isBehindProxy: boolean },
): ConnectionLimits {
  app.server.maxConnections = maxConnections;
  // Behind a balancer all connections come from its address, and it is the one to limit callers' connections.
  if (isBehindProxy) return { prove: () => undefined };
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
    // The oldest makes room: a caller with a token proves it within milliseconds, one that only holds connections never does.
    const [oldest] = unproven;
    if (unproven.size > UNPROVEN_PER_ADDRESS) oldest?.destroy();
  });
  return {
    prove: ({ raw: { socket } }) => {
      const address = addressBySocket.get(socket);
      if (address !== undefined) forget(socket, address);
    },
  };
}
