/** Keeps a connection open on which an answer has not begun: a model that is loaded first says nothing for longer than a stalled reader may. */
import type { FastifyInstance } from 'fastify';
import { Socket } from 'node:net';

/** From the first word of a long answer to its last: these calls answer at once, and with nothing before. */
const ANSWER_TAKES_MS = 60_000;
const ASKS_A_MODEL = /^\/v1\/(?:coach|speech)\//;

/** `firstByteMs`: how long the slowest model may take; null where none is slow. Node sets the usual limit again for the next request. */
export function waitForModels(app: FastifyInstance, firstByteMs: number | null): void {
  if (firstByteMs === null) return;
  // Once the request is here and its sender has proved who they are: strangers get no longer than anywhere else.
  app.addHook('preHandler', async ({ url, raw: { socket } }) => {
    // A request that is injected has no socket of its own.
    if (ASKS_A_MODEL.test(url) && socket instanceof Socket) socket.setTimeout(firstByteMs + ANSWER_TAKES_MS);
  });
}
