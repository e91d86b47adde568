/** Counts decompressed body bytes until the request is answered, and closes unauthenticated requests that arrive too slowly. */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import { pipeline, Readable, Transform } from 'node:stream';
import { DomainError } from '../../domain-error.ts';
import { clientSite } from '../addresses/client-network.ts';
import { type BodyBudget, type TrackedBody, UNCOUNTED_BYTES } from './body-budget.ts';
import { provenUserId } from './body-sender.ts';

/** The limit for a body whose sender is not known yet; events from the payment provider are small too. */
const ANONYMOUS_BODY_TIMEOUT_MS = 10_000;
const RETRY_AFTER_S = 2;

/** Applies to all routes that are added afterwards. It must be the last preParsing hook. */
export function meterBodies(app: FastifyInstance, budgets: { bodies: BodyBudget; speech: BodyBudget }): void {
  app.addHook('onRoute', (route) => {
    const budget = route.config?.isSpeech === true ? budgets.speech : budgets.bodies;
    route.preParsing = [...handlersOf(route), meter(budget)];
  });
}

const handlersOf = ({ preParsing }: RouteOptions): preParsingHookHandler[] =>
  preParsing === undefined ? [] : [preParsing].flat();

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Returns null for a body whose length is unknown until it has arrived. Node's parser accepts no more bytes than were
 * announced.
 */
function announcedLength({ headers }: FastifyRequest): number | null {
  const isAsSent = headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined;
  return isAsSent ? Number(headers['content-length']) : null;
}

const meter =
  (budget: BodyBudget): preParsingHookHandler =>
  (request, reply, body, done) => {
    if (!hasBody(request)) return done(null, body);
    // The caller may have disconnected during authentication. Nothing would then release its place, and its body would
    // never end.
    if (reply.raw.closed || request.raw.destroyed) return done(new DomainError('request.invalid'));
    if (request.routeOptions.config.streamsBody === true || !(body instanceof Readable)) return done(null, body);
    const { caller } = request.routeOptions.config;
    // A slow body would tie up its connection and the bytes that have arrived.
    if (caller === 'anyone' || caller === 'key') closeIfSlow(request);
    // This body is too small to count.
    if (caller === 'anyone') return done(null, body);
    const network = clientSite(request.ip);
    const held = budget.track({ caller: provenUserId(request) ?? network, network });
    if (held === null) return done(tooManyRequests(reply));
    reply.raw.once('close', held.release);
    const length = announcedLength(request);
    // Counting a turn's few bytes as they arrive would take longer than reading them.
    if (length !== null && length <= UNCOUNTED_BYTES)
      return held.add(length) ? done(null, body) : done(tooManyRequests(reply));
    const metered = new MeteredBody(held, () => tooManyRequests(reply), body);
    pipeline(body, metered, () => undefined);
    done(null, metered);
  };

function closeIfSlow({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, ANONYMOUS_BODY_TIMEOUT_MS);
  timer.unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}

function tooManyRequests(reply: FastifyReply): Error {
  void reply.header('retry-after', RETRY_AFTER_S);
  return new DomainError('request.too_many');
}

class MeteredBody extends Transform {
  readonly #held: TrackedBody;
  readonly #refuse: () => Error;
  readonly #source: Readable;

  constructor(held: TrackedBody, refuse: () => Error, source: Readable) {
    super();
    this.#held = held;
    this.#refuse = refuse;
    this.#source = source;
  }

  /** Fastify compares this with the `content-length` of a compressed body; it is 0 for an uncompressed one. */
  get receivedEncodedLength(): number {
    return 'receivedEncodedLength' in this.#source ? Number(this.#source.receivedEncodedLength) : 0;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    if (this.#held.add(chunk.byteLength)) done(null, chunk);
    else done(this.#refuse());
  }
}
