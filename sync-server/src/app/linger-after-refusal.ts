/**
 * Hangs up on a caller whose request was answered before its body had arrived. What is still on its way is discarded for a moment,
 * since a connection that is cut at once loses the answer too; a caller that withholds the rest is not waited for.
 */
import type { FastifyInstance } from 'fastify';
import { Socket } from 'node:net';

const LINGER_MS = 2_000;

export function lingerAfterRefusal(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    const { socket } = raw;
    if (!(socket instanceof Socket) || raw.complete || raw.destroyed) return;
    raw.resume();
    const timer = setTimeout(() => {
      if (!raw.complete) socket.destroy();
    }, LINGER_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
