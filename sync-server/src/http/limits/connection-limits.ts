/** Limits open connections in total, with a fair share for each network, and per network until a request has authenticated. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { createFairPlaces, type Place } from '../../fair-places.ts';
import { clientSite } from '../addresses/client-network.ts';

/** Each connection takes 10 to 40 KiB. */
export const MAX_CONNECTIONS = 10_000;
/** A whole school may share one network, so this stops counting a connection once a request on it has authenticated. */
const MAX_UNPROVEN_PER_NETWORK = 256;
/** A connection that gives up its place is closed a moment later. */
const CLOSING_CONNECTIONS = 64;

export interface ConnectionLimits {
  /** Records that a request on this connection has authenticated. */
  markProven: (request: FastifyRequest) => void;
}

/**
 * A school with hundreds of learners, or one machine with many accounts, may hold any number of connections while there
 * is room. When all are taken, a new one closes the oldest connection of the network that holds most. Connections of
 * one network do not close each other, because its devices would reconnect and displace each other endlessly.
 */
export function limitConnections(
  app: FastifyInstance,
  { maxConnections = MAX_CONNECTIONS, isBehindProxy }: { maxConnections?: number | undefined; isBehindProxy: boolean },
): ConnectionLimits {
  if (isBehindProxy) {
    // Behind a load balancer, all connections come from its address, so it has to limit them. Long-lived requests of a
    // caller are limited where they are served.
    app.server.maxConnections = maxConnections;
    return { markProven: () => undefined };
  }
  app.server.maxConnections = maxConnections + CLOSING_CONNECTIONS;
  const places = createFairPlaces(maxConnections);
  const placeBySocket = new WeakMap<Socket, Place>();
  const networkBySocket = new WeakMap<Socket, string>();
  const unprovenByNetwork = new Map<string, Set<Socket>>();

  const markNoLongerUnproven = (socket: Socket, network: string): void => {
    const unproven = unprovenByNetwork.get(network);
    unproven?.delete(socket);
    if (unproven?.size === 0) unprovenByNetwork.delete(network);
  };
  const forget = (socket: Socket, network: string): void => {
    markNoLongerUnproven(socket, network);
    placeBySocket.get(socket)?.release();
  };
  const close = (socket: Socket, network: string): void => {
    forget(socket, network);
    socket.destroy();
  };

  app.server.on('connection', (socket: Socket) => {
    const network = clientSite(socket.remoteAddress ?? '');
    const takePlace = (): Place | null => places.take({ network, account: null }, () => close(socket, network));
    const unproven = unprovenByNetwork.get(network) ?? new Set<Socket>();
    // The oldest unauthenticated connection is closed: a genuine client authenticates within milliseconds.
    const [oldest] = unproven;
    let place = unproven.size < MAX_UNPROVEN_PER_NETWORK ? takePlace() : null;
    if (place === null && oldest !== undefined) {
      close(oldest, network);
      place = takePlace();
    }
    if (place === null) return void socket.destroy();
    unprovenByNetwork.set(network, unproven.add(socket));
    networkBySocket.set(socket, network);
    placeBySocket.set(socket, place);
    socket.once('close', () => forget(socket, network));
  });
  return {
    markProven: ({ raw: { socket } }) => {
      const network = networkBySocket.get(socket);
      if (network !== undefined) markNoLongerUnproven(socket, network);
    },
  };
}
