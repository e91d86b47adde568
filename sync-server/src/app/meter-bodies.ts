/** Counts every body while it arrives, inflated, until its request is answered; gives up those that arrive too slowly. */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import { pipeline, Readable, Transform } from 'node:stream';
import { failure } from '../failure.ts';
import type { BodyBudget, HeldBody } from './body-budget.ts';
import { provenUserId } from './request-caller.ts';

/** A stranger's body fits into a few packets. */
const STRANGERS_BODY_WITHIN_MS = 10_000;
const RETRY_AFTER_S = 2;

/** For all routes that are added from here on; the last to handle a body before it is parsed. */
export function meterBodies(app: FastifyInstance, budget: BodyBudget): void {
  app.addHook('onRoute', (route) => {
    route.preParsing = [...handlersOf(route), meter(budget)];
  });
}

const handlersOf = ({ preParsing }: RouteOptions): preParsingHookHandler[] =>
  preParsing === undefined ? [] : [preParsing].flat();

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const meter =
  (budget: BodyBudget): preParsingHookHandler =>
  (request, reply, body, done) => {
    if (!hasBody(request) || request.routeOptions.config.streamsBody === true || !(body instanceof Readable))
      return done(null, body);
    if (request.routeOptions.config.caller === 'anyone') {
      // Too small to count; what counts is how long it keeps its connection.
      hangUpOnSlow(request);
      return done(null, body);
    }
    const held = budget.open(provenUserId(request) ?? request.ip);
    if (held === null) return done(tooMany(reply));
    reply.raw.once('close', held.release);
    const metered = new MeteredBody(held, () => tooMany(reply), body);
    pipeline(body, metered, () => undefined);
    done(null, metered);
  };

function hangUpOnSlow({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, STRANGERS_BODY_WITHIN_MS);
  timer.unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}

function tooMany(reply: FastifyReply): Error {
  void reply.header('retry-after', RETRY_AFTER_S);
  return failure('request.too_many');
}

class MeteredBody extends Transform {
  readonly #held: HeldBody;
  readonly #refuse: () => Error;
  readonly #source: Readable;

  constructor(held: HeldBody, refuse: () => Error, source: Readable) {
    super();
    this.#held = held;
    this.#refuse = refuse;
    this.#source = source;
  }

  /** Fastify compares it with the `content-length` of a body that was compressed; 0 for one that was not. */
  get receivedEncodedLength(): number {
    return 'receivedEncodedLength' in this.#source ? Number(this.#source.receivedEncodedLength) : 0;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    if (this.#held.add(chunk.byteLength)) done(null, chunk);
    else done(this.#refuse());
  }
}
