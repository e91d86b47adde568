/** Creates the Fastify server with its limits, timeouts, compression, logging and error handling. */
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import { MAX_PUSH_BYTES } from '@parley/contract';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { RequestLimits } from '../limits/request-limits.ts';
import { replyToMalformedRequest } from '../errors/malformed-requests.ts';
import { serializeError } from '../errors/error-serializer.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { serializeRequest } from './request-serializer.ts';
import { toErrorResponse } from '../errors/error-response.ts';
import { reportBug } from '../errors/report-bug.ts';
import { closeRefusedUpgrades } from './refused-upgrades.ts';
import { restrictHosts } from './host-guard.ts';
import { BODY_LIMITS, type BodyLimits, createBodyBudget, SPEECH_LIMITS } from '../request-bodies/body-budget.ts';
import { discardUnreadBody } from './discard-unread-body.ts';
import { meterBodies } from '../request-bodies/meter-bodies.ts';
import { parseJsonBody } from '../request-bodies/parse-json.ts';
import type { TrustProxy } from '../addresses/trusted-proxies.ts';
import { stopDecompressionWhenAnswered } from '../request-bodies/decompression-guard.ts';

export interface HttpServerOptions {
  logLevel?: string;
  /** Receives the log lines; defaults to standard output. */
  logStream?: { write: (line: string) => void };
  trustProxy?: TrustProxy;
  /** Whether browsers reach this server over HTTPS, so that they are told never to use plain HTTP. */
  isHttps?: boolean;
  /** Host names that the server answers to, in addition to those of this machine. */
  allowedHosts?: readonly string[];
  /** Requests per minute of one device, or of one address with unauthenticated callers. */
  requestsPerMinute?: number;
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number;
  /** How long a connection may be idle while a request is open. */
  stalledAfterMs?: number;
  /** The number of connections that may be open at the same time. */
  maxConnections?: number;
  /** Records a span for each request. */
  tracing?: FastifyPluginCallback | undefined;
  /** How many bytes of request bodies may be in memory. */
  bodyLimits?: BodyLimits;
}

/** Compressing a smaller response costs more than it saves. */
const COMPRESS_FROM_BYTES = 1_024;
/**
 * Sync pages are compressed in addition to known text types, but events are not, because the compressor would buffer
 * them.
 */
const COMPRESSED_TYPES = /^application\/(?:x-nd|feed\+)?json(?:;|$)/;
/** The largest push takes ninety seconds at 100 kbit/s. */
const REQUEST_TIMEOUT_MS = 120_000;
/**
 * Poke streams send a keep-alive every few seconds. A reader that takes nothing for this long has gone, and its page
 * would stay in memory.
 */
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Fastify's limit for a plugin to load, which also applies to everything that a shutdown waits for. At its default of ten
 * seconds, a shutdown that waits for a slow response or mail server would end in a crash.
 */
const START_OR_STOP_TIMEOUT_MS = 60_000;

export async function createHttpServer(
  parts: HttpServerOptions,
  callLimits: Pick<RequestLimits, 'guard'>,
): Promise<FastifyInstance> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = parts;
  const app: FastifyInstance = Fastify({
    bodyLimit: MAX_PUSH_BYTES,
    pluginTimeout: START_OR_STOP_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: parts.stalledAfterMs ?? IDLE_TIMEOUT_MS,
    // Node checks request timeouts only when the header timeout is not longer than the request timeout.
    http: { headersTimeout: requestTimeoutMs / 2, connectionsCheckingInterval: requestTimeoutMs / 4 },
    clientErrorHandler: ({ code }, socket) => replyToMalformedRequest(app.log, code, socket),
    frameworkErrors: sendError,
    trustProxy: toFastifyTrustProxy(parts.trustProxy ?? false),
    logger: {
      level: parts.logLevel ?? 'silent',
      // Learners' words and credentials must never reach the log.
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      serializers: { err: serializeError, req: serializeRequest },
      ...(parts.logStream === undefined ? {} : { stream: parts.logStream }),
    },
  });
  if (parts.tracing !== undefined) await app.register(parts.tracing);
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    customTypes: (type) => COMPRESSED_TYPES.test(type),
  });
  await app.register(cookie);
  await addSecurityHeaders(app, { isHttps: parts.isHttps ?? false });
  stopDecompressionWhenAnswered(app);
  restrictHosts(app, parts.allowedHosts ?? []);
  meterBodies(app, {
    bodies: createBodyBudget(parts.bodyLimits ?? BODY_LIMITS),
    speech: createBodyBudget(SPEECH_LIMITS),
  });
  discardUnreadBody(app);
  closeRefusedUpgrades(app);
  callLimits.guard(app);
  app.setErrorHandler(sendError);
  // An unknown path is rejected before its body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await sendNotFound(request, reply);
  });
  app.setNotFoundHandler(sendNotFound);
  registerBodyParsers(app);
  return app;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, isBug } = toErrorResponse(error, request.id);
  if (isBug) reportBug(error, request, reply);
  void reply.status(status).send(body);
}

export const sendNotFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.status(404).send({ code: 'request.invalid', message: 'There’s nothing at this address.' });

/** Fastify would interpret a plain number of hops as trusting no proxy. */
const toFastifyTrustProxy = (proxies: TrustProxy): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;

/** All bodies go through one parser, so that the contract alone decides what is valid. */
function registerBodyParsers(app: FastifyInstance): void {
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
