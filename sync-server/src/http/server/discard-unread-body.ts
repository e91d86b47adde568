/**
 * Closes the connection after a response that was sent before the whole body arrived. It discards the rest of the body briefly, because
 * closing at once would lose the response, but does not wait for a client that withholds the rest.
 */
import type { FastifyInstance } from 'fastify';
import { Socket } from 'node:net';

const DISCARD_FOR_MS = 2_000;

export function discardUnreadBody(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    const { socket } = raw;
    if (!(socket instanceof Socket) || raw.complete || raw.destroyed) return;
    raw.resume();
    const timer = setTimeout(() => {
      if (!raw.complete) socket.destroy();
    }, DISCARD_FOR_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
