/** Puts the server together: the composition root. */
import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { ORPCError } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import { MAX_PUSH_BYTES, REALTIME_PATH, serverContract } from '@parley/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { createAccounts, type EnqueueMail, planReader } from '../account/index.ts';
import { createBilling, createRecount } from '../billing/index.ts';
import type { Payments } from '../payments/index.ts';
import {
  type AiServices,
  createCoaching,
  createLiveCoaching,
  createMemory,
  type RealtimeService,
} from '../coach/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { createMail, type MailParts } from '../mail/index.ts';
import { failure } from '../failure.ts';
import { createLeases, createLedger } from '../metering/index.ts';
import { createAnnouncer, createPokeHub, readCatalogueVersion, readPoke } from '../sync/index.ts';
import { ACCOUNT_LIMITS, createAccountLimits, type LimitsAMinute } from './account-limits.ts';
import { addBillingRoutes, keepBillingRight } from './billing-routes.ts';
import { answerClientError } from './client-errors.ts';
import type { TrustProxy } from './config.ts';
import { ACCOUNT_DEFAULTS, type AccountSettings, createAccountFeatures } from './create-account-features.ts';
import { describeError } from './describe-error.ts';
import { describeRequest } from './describe-request.ts';
import { answerError } from './error-policy.ts';
import { addExportRoute } from './export-route.ts';
import { isOwnPage } from './form-guard.ts';
import { hangUpOnClose } from './hang-up.ts';
import { addMailRoutes, runMailSchedule } from './mail-routes.ts';
import { parseJsonBody } from './parse-json.ts';
import { admission, type CallContext, createRouter } from './router.ts';
import { addRealtimeRoute, realtimePathItem } from './realtime-route.ts';
import { addSpeechRoutes, speechPathItems } from './speech-route.ts';
import { addStreamRoute, STREAM_PATH, streamPathItem } from './stream-route.ts';
import { unpackNoFurtherThanAnswered } from './unpack-no-further.ts';
import { tidyAccounts } from './tidy-accounts.ts';
import { addWebRoutes } from './web-routes.ts';

export interface AppParts {
  database: DatabaseConnection;
  now?: () => Date;
  logLevel?: string;
  /** Where log lines go; standard output when nothing is said. */
  logStream?: { write: (line: string) => void };
  trustProxy?: TrustProxy;
  /** Requests a minute and address on the calls that hand out or take secrets. */
  accountCallsAMinute?: number;
  /** What one account may ask in a minute, over all its devices. */
  limits?: LimitsAMinute;
  /** Requests a minute of one device, or of one address that names none. */
  callsAMinute?: number;
  /** How long a request may take to arrive. */
  arriveWithinMs?: number;
  /** How long a connection may neither give nor take anything while a request is open. */
  stalledAfterMs?: number;
  /** None, when nothing is said: every device then has its guided coach and its own scorer. */
  ai?: AiParts;
  /** Null, or nothing said: this server writes no e-mails. */
  mail?: MailAppParts | null;
  account?: Partial<AccountSettings>;
  /** Null, or nothing said: nothing is sold here. */
  payments?: Payments | null;
  /** Instead of e-mails, what is to be written to learners: for tests. */
  enqueueMail?: EnqueueMail;
}

/** Who carries e-mails, and what links in them need; the rest is the server's own. */
export type MailAppParts = Pick<
  MailParts,
  'transport' | 'origin' | 'secret' | 'fallbackTimeZone' | 'makeAccessLink' | 'chance'
> & {
  /** Whether they are sent by themselves as long as the server listens. */
  isScheduled?: boolean;
};

export interface AiParts {
  services: AiServices;
  /** Who can listen and speak at once; null: nobody, and there is no such address. */
  realtime?: RealtimeService | null;
  dailyLimitUsd: number | null;
  /** Whether plans limit live conversation. */
  countsMinutes: boolean;
}

const NO_AI: AiParts = {
  services: { coach: null, transcriber: null, assessor: null, voice: null },
  dailyLimitUsd: null,
  countsMinutes: false,
};

/** Room for a push's envelope around its mutations. */
const BODY_LIMIT_BYTES = MAX_PUSH_BYTES + 64 * 1024;
/** Smaller answers cost more to compress than to send. */
const COMPRESS_FROM_BYTES = 1_024;
/** The stream's pages too, but no events: they would wait in the packer until it is full. */
const COMPRESSED_TYPES = /^application\/(?:x-nd)?json(?:;|$)/;
/** The largest push on a line of 100 kbit/s takes ninety seconds. */
const ARRIVE_WITHIN_MS = 120_000;
/** Pokes breathe every few seconds; whoever takes nothing for so long has gone, and a page waits in memory for them. */
const STALLED_AFTER_MS = 60_000;
const CALLS_A_MINUTE = 1_200;
const ACCOUNT_CALLS_A_MINUTE = 20;
const API_DESCRIPTION = { title: 'Parley sync server', version: '1.0.0', description: 'Devices, accounts and sync.' };

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, now = () => new Date(), arriveWithinMs = ARRIVE_WITHIN_MS } = parts;
  const app: FastifyInstance = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
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
  const { db } = database;
  const hub = createPokeHub((userId) => readPoke(db, userId));
  const announcer = await createAnnouncer({
    hub,
    channel: database.channel,
    onLoss: (error) => app.log.warn({ err: error }, 'the other nodes were not told'),
  });
  // Whoever starts may have brought a newer catalogue: the devices at the other nodes hear of it.
  app.addHook('onListen', async () => announcer.catalogueMoved(await readCatalogueVersion(db)));
  app.addHook('preClose', () => announcer.close());
  hangUpOnClose(app);
  const accounts = createAccounts({ db, now, signedOut: announcer.signedOut });
  const limits = createAccountLimits(parts.limits ?? ACCOUNT_LIMITS);
  const { services, realtime = null, dailyLimitUsd, countsMinutes } = parts.ai ?? NO_AI;
  const features = createAccountFeatures({
    db,
    now,
    accounts,
    announcer,
    settings: { ...ACCOUNT_DEFAULTS(), ...parts.account },
    // Each needs the other: reminders have links that sign in.
    mail: parts.enqueueMail ?? (async (tx, letter) => mail?.enqueue(tx, letter)),
    countsMinutes,
  });
  const admit = admission({ accounts, limits, access: features.access });
  const ledger = createLedger({ db, now, dailyLimitUsd });
  const leases = createLeases({
    db,
    now,
    counts: countsMinutes,
    planOf: planReader({ db, now }),
    counted: createRecount({ now, changed: announcer.userMoved }),
  });
  const memory = createMemory({ db, now, changed: announcer.userMoved });
  const mail = parts.mail
    ? createMail({
        makeAccessLink: features.makeAccessLink,
        ...parts.mail,
        db,
        now,
        newId: randomUUID,
        changed: announcer.userMoved,
        onTrouble: ({ error, ...trouble }) => app.log.warn({ ...trouble, err: error }, 'an e-mail did not go out'),
      })
    : null;
  if (mail !== null && parts.mail?.isScheduled === true) runMailSchedule(app, mail, database);
  const billing = createBilling({
    db,
    now,
    newId: randomUUID,
    changed: announcer.userMoved,
    catalogueMoved: announcer.catalogueMoved,
    payments: parts.payments ?? null,
    origin: parts.account?.origin ?? ACCOUNT_DEFAULTS().origin,
    mail: async (tx, letter) => void (await mail?.enqueue(tx, letter)),
    onTrouble: (trouble) => app.log.warn(trouble, 'a subscription is not as it should be'),
  });
  keepBillingRight(app, billing);
  tidyAccounts(app, { db, now, beforeErase: billing.forget });
  const coaching = createCoaching({ db, services, realtime, ledger, leases, memory, newId: randomUUID });
  const router = createRouter({
    ...features,
    limits,
    db,
    now,
    hub,
    announcer,
    admit,
    billing,
    coaching,
    leases,
    memory,
  });
  const handler = new OpenAPIHandler(router, {
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (error) {
          const { body, status, isBug } = answerError(error, context.requestId);
          if (isBug) app.log.error({ err: error, requestId: context.requestId }, 'a request failed');
          throw new ORPCError(body.code, { status, message: body.message, data: body.data });
        }
      },
    ],
  });

  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['zstd', 'gzip', 'identity'],
    customTypes: (type) => COMPRESSED_TYPES.test(type),
  });
  unpackNoFurtherThanAnswered(app);
  await app.register(rateLimit, {
    max: parts.callsAMinute ?? CALLS_A_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: callerOf,
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ code: 'request.invalid', message: 'There is nothing at this address.' }),
  );

  app.get('/healthz', async (_request, reply) => {
    try {
      await database.check();
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database_unreachable' });
    }
  });

  const document = await describeApi();
  app.get('/openapi.json', () => document);

  // The contract parses bodies itself, so that one parser decides what is valid.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(Buffer.from(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  const answerCall = async (
    request: Parameters<typeof handler.handle>[0],
    reply: Parameters<typeof handler.handle>[1],
  ): Promise<unknown> => {
    if (!isPlainAddress(request.url)) return reply.callNotFound();
    const context: CallContext = {
      authorization: request.headers.authorization,
      requestId: request.id,
      retryAfter: (seconds) => void reply.header('retry-after', seconds),
      webSession: async () => {
        const session = await features.gate.requireWebSession(request, { admin: false });
        if (!isOwnPage(request.headers)) throw failure('auth.forbidden', { detail: 'origin' });
        return session;
      },
    };
    const { matched } = await handler.handle(request, reply, { context });
    return matched ? reply : reply.callNotFound();
  };
  const accountLimit = {
    rateLimit: {
      max: parts.accountCallsAMinute ?? ACCOUNT_CALLS_A_MINUTE,
      timeWindow: '1 minute',
      // Here nobody has proved to be a device yet: whoever guesses codes could name a new one in each call.
      keyGenerator: (request: { ip: string }) => request.ip,
    },
  };
  app.get('/v1/devices', answerCall);
  app.all('/v1/devices/*', { config: accountLimit }, answerCall);
  app.get('/v1/account', answerCall);
  addExportRoute(app, { db, admit });
  // Each counted by itself, and whatever else there may be under it as strictly.
  for (const path of ['request-sign-in', 'sign-in', 'sign-in-by-link', '*'])
    app.all(`/v1/account/${path}`, { config: accountLimit }, answerCall);
  app.all('/v1/admin/*', answerCall);
  app.get('/v1/billing/plans', answerCall);
  app.get('/v1/billing/invoices', answerCall);
  for (const path of ['start-trial', 'checkout', 'portal'])
    app.post(`/v1/billing/${path}`, { config: accountLimit }, answerCall);
  addBillingRoutes(app, billing);
  addWebRoutes(app, { db, ...features, strict: { config: accountLimit } });
  app.all('/v1/sync/*', answerCall);
  app.get('/v1/coach', answerCall);
  app.all('/v1/coach/*', answerCall);
  addSpeechRoutes(app, { admit, coaching });
  if (realtime !== null) {
    const live = createLiveCoaching({ db, realtime, judge: services.coach, ledger, leases, now, newId: randomUUID });
    addRealtimeRoute(app, { admit, live });
  }
  addStreamRoute(app, { db, admit });
  if (mail !== null) addMailRoutes(app, mail);
  return app;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, isBug } = answerError(error, request.id);
  if (isBug) request.log.error({ err: error }, 'a request failed');
  void reply.status(status).send(body);
}

/** Limits are chosen by the address as it was sent: one with `..` in it would be answered as another, under the wrong limit. */
function isPlainAddress(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return URL.parse(path, 'http://server.invalid')?.pathname === path;
}

/** Said to Fastify by itself, a number of hops would trust nobody. */
const trusted = (proxies: TrustProxy): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;

/** A device is limited by itself, so that a school behind one address is not one caller. */
function callerOf(request: { ip: string; headers: { authorization?: string | undefined } }): string {
  const device = /^Bearer ([0-9a-f-]{36})\./.exec(request.headers.authorization ?? '')?.[1];
  return device === undefined ? request.ip : `${request.ip} ${device}`;
}

async function describeApi(): Promise<unknown> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(serverContract, { info: API_DESCRIPTION });
  return {
    ...document,
    paths: { ...document.paths, [STREAM_PATH]: streamPathItem, ...speechPathItems, [REALTIME_PATH]: realtimePathItem },
  };
}
