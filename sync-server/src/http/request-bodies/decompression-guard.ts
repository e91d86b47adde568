/**
 * Stops decompressing a body once its request has been answered. A kilobyte can expand to a gigabyte, and the
 * decompressor would continue after the body limit has ended the request.
 */
import type { FastifyInstance, preParsingHookHandler, RouteOptions } from 'fastify';
import { Readable } from 'node:stream';

export function stopDecompressionWhenAnswered(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.preParsing = [...handlersOf(route), destroyWhenAnswered];
  });
}

const handlersOf = ({ preParsing }: RouteOptions): preParsingHookHandler[] =>
  preParsing === undefined ? [] : [preParsing].flat();

/** This runs after the decompression hook, so it receives the decompressed stream. */
const destroyWhenAnswered: preParsingHookHandler = (request, reply, body, done) => {
  const isUnpacked = body !== request.raw;
  if (isUnpacked && body instanceof Readable) reply.raw.once('close', () => body.destroy());
  done(null, body);
};
