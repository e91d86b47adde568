/** Closes the connection of an upgrade request that was answered with an ordinary response; Node leaves its socket to the server. */
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

export function closeRefusedUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    // No other request can follow on this connection.
    if (isUpgrade(raw)) reply.raw.shouldKeepAlive = false;
  });
  app.addHook('onResponse', async ({ raw }) => {
    if (isUpgrade(raw)) raw.socket.end();
  });
}

/** Node sets this only when the server listens for upgrades. */
const isUpgrade = (raw: IncomingMessage): boolean => 'upgrade' in raw && raw.upgrade === true;
