/**
 * Packed bodies are unpacked only until their request is answered. A kilobyte can hold a gigabyte: the body limit ends the request,
 * but whatever unpacks it would go on to the end, for nobody.
 */
import type { FastifyInstance, preParsingHookHandler, RouteOptions } from 'fastify';
import { Readable } from 'node:stream';

export function unpackNoFurtherThanAnswered(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.preParsing = [...handlersOf(route), stopWhenAnswered];
  });
}

const handlersOf = ({ preParsing }: RouteOptions): preParsingHookHandler[] =>
  preParsing === undefined ? [] : [preParsing].flat();

/** Behind the one that unpacks: what it gets is what comes out. */
const stopWhenAnswered: preParsingHookHandler = (request, reply, body, done) => {
  const isUnpacked = body !== request.raw;
  if (isUnpacked && body instanceof Readable) reply.raw.once('close', () => body.destroy());
  done(null, body);
};
