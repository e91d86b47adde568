/** Limits open connections in total, and per network until a request on the connection has authenticated. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { clientNetwork } from '../addresses/client-network.ts';

/** Each connection takes 10 to 40 KiB. */
const MAX_CONNECTIONS = 10_000;
/** A whole school may share one network, so a connection stops counting once a request on it has authenticated. */
const MAX_UNPROVEN_PER_NETWORK = 256;

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
  const unprovenByNetwork = new Map<string, Set<Socket>>();
  const forget = (socket: Socket, network: string): void => {
    const unproven = unprovenByNetwork.get(network);
    unproven?.delete(socket);
    if (unproven?.size === 0) unprovenByNetwork.delete(network);
  };
  const networkBySocket = new WeakMap<Socket, string>();
  app.server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '');
    const unproven = unprovenByNetwork.get(network) ?? new Set<Socket>();
    unprovenByNetwork.set(network, unproven.add(socket));
    networkBySocket.set(socket, network);
    socket.once('close', () => forget(socket, network));
    // The oldest unauthenticated connection is closed: a genuine client authenticates within milliseconds.
    const [oldest] = unproven;
    if (unproven.size > MAX_UNPROVEN_PER_NETWORK) oldest?.destroy();
  });
  return {
    markProven: ({ raw: { socket } }) => {
      const network = networkBySocket.get(socket);
      if (network !== undefined) forget(socket, network);
    },
  };
}
