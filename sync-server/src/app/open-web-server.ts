/** The web server itself, before anything is served: how much it takes and how long it waits, what it packs and logs, and how it refuses. */
import compress from '@fastify/compress';
import { MAX_PUSH_BYTES } from '@parley/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { CallLimits } from './call-limits.ts';
import { answerClientError } from './client-errors.ts';
import { describeError } from './describe-error.ts';
import { describeRequest } from './describe-request.ts';
import { answerError } from './error-policy.ts';
import { guardHost } from './host-guard.ts';
import { type BodyLimits, createBodyBudget } from './body-budget.ts';
import { lingerAfterRefusal } from './linger-after-refusal.ts';
import { meterBodies } from './meter-bodies.ts';
import { parseJsonBody } from './parse-json.ts';
import type { TrustProxy } from './trusted-proxies.ts';
import { unpackNoFurtherThanAnswered } from './unpack-no-further.ts';

export interface WebServerParts {
  logLevel?: string;
  /** Where log lines go; standard output when nothing is said. */
  logStream?: { write: (line: string) => void };
  trustProxy?: TrustProxy;
  /** Names, beside those of this machine, that it answers under. */
  allowedHosts?: readonly string[];
  /** Requests a minute of one device, or of one address whose callers have not proved to be devices. */
  callsAMinute?: number;
  /** How long a request may take to arrive. */
  arriveWithinMs?: number;
  /** How long a connection may neither give nor take anything while a request is open. */
  stalledAfterMs?: number;
  /** Connections that may be open at the same time. */
  maxConnections?: number;
  /** How much of request bodies may be in memory. */
  bodyLimits?: BodyLimits;
}

/** Smaller answers cost more to compress than to send. */
const COMPRESS_FROM_BYTES = 1_024;
/** The stream's pages too, but no events: they would wait in the packer until it is full. */
const COMPRESSED_TYPES = /^application\/(?:x-nd)?json(?:;|$)/;
/** The largest push on a line of 100 kbit/s takes ninety seconds. */
const ARRIVE_WITHIN_MS = 120_000;
/** Pokes breathe every few seconds; whoever takes nothing for so long has gone, and a page waits in memory for them. */
const STALLED_AFTER_MS = 60_000;

export async function openWebServer(
  parts: WebServerParts,
  callLimits: Pick<CallLimits, 'guard'>,
): Promise<FastifyInstance> {
  const { arriveWithinMs = ARRIVE_WITHIN_MS } = parts;
  const app: FastifyInstance = Fastify({
    bodyLimit: MAX_PUSH_BYTES,
    requestTimeout: arriveWithinMs,
    connectionTimeout: parts.stalledAfterMs ?? STALLED_AFTER_MS,
    // Node looks at whole requests only while headers are given no longer than they are.
    http: { headersTimeout: arriveWithinMs / 2, connectionsCheckingInterval: arriveWithinMs / 4 },
    clientErrorHandler: ({ code }, socket) => answerClientError(app.log, code, socket),
    frameworkErrors: sendError,
    trustProxy: trusted(parts.trustProxy ?? false),
    logger: {
      level: parts.logLevel ?? 'silent',
      // What a learner said and what proves who they are never reach the log.
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      serializers: { err: describeError, req: describeRequest },
      ...(parts.logStream === undefined ? {} : { stream: parts.logStream }),
    },
  });
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['zstd', 'gzip', 'identity'],
    customTypes: (type) => COMPRESSED_TYPES.test(type),
  });
  unpackNoFurtherThanAnswered(app);
  guardHost(app, parts.allowedHosts ?? []);
  meterBodies(app, createBodyBudget(parts.bodyLimits));
  lingerAfterRefusal(app);
  callLimits.guard(app);
  app.setErrorHandler(sendError);
  // Before the body is read: nothing at this address takes one.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await sendNotFound(request, reply);
  });
  app.setNotFoundHandler(sendNotFound);
  parseBodiesOurselves(app);
  return app;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, isBug } = answerError(error, request.id);
  if (isBug) request.log.error({ err: error }, 'a request failed');
  void reply.status(status).send(body);
}

const sendNotFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.status(404).send({ code: 'request.invalid', message: 'There is nothing at this address.' });

/** Said to Fastify by itself, a number of hops would trust nobody. */
const trusted = (proxies: TrustProxy): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;

/** The contract says what a body may be, so that one parser decides what is valid. */
function parseBodiesOurselves(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(Buffer.from(body)));
    } catch (error) {
      done(error as Error);
    }
  });
}
