/** Extends the idle timeout for requests to a language model, which may be silent while it loads. */
import type { FastifyInstance } from 'fastify';
import { Socket } from 'node:net';

/** The longest time from the first word of a reply to its last. */
const MAX_REPLY_MS = 60_000;
const MODEL_PATHS = /^\/v1\/(?:coach|speech)\//;

/** `firstByteMs` is how long the slowest model may take, or null when none is slow. Node resets the timeout for the next request. */
export function extendModelTimeouts(app: FastifyInstance, firstByteMs: number | null): void {
  if (firstByteMs === null) return;
  // The timeout is extended only after the sender has authenticated.
  app.addHook('preHandler', async ({ url, raw: { socket } }) => {
    // An injected request has no real socket.
    if (MODEL_PATHS.test(url) && socket instanceof Socket) socket.setTimeout(firstByteMs + MAX_REPLY_MS);
  });
}
