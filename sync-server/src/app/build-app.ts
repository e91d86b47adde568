/** Puts the server together: the composition root. */
import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { ORPCError } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import rateLimit from '@fastify/rate-limit';
import { MAX_PUSH_BYTES, serverContract } from '@parley/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { createAccounts } from '../account/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { describeError } from './describe-error.ts';
import { answerError } from './error-policy.ts';
import { createRouter } from './router.ts';

export interface AppParts {
  database: DatabaseConnection;
  now?: () => Date;
  logLevel?: string;
  /** Where log lines go; standard output when nothing is said. */
  logStream?: { write: (line: string) => void };
  trustProxy?: boolean;
  /** Requests a minute and address on the calls that hand out or take secrets. */
  accountCallsAMinute?: number;
}

/** Room for a push's envelope around its mutations. */
const BODY_LIMIT_BYTES = MAX_PUSH_BYTES + 64 * 1024;
const CALLS_A_MINUTE = 600;
const ACCOUNT_CALLS_A_MINUTE = 20;
const API_DESCRIPTION = { title: 'Parley sync server', version: '1.0.0', description: 'Devices, accounts and sync.' };

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, now = () => new Date() } = parts;
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: parts.trustProxy ?? false,
    logger: {
      level: parts.logLevel ?? 'silent',
      // What a learner said and what proves who they are never reach the log.
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      serializers: { err: describeError },
      ...(parts.logStream === undefined ? {} : { stream: parts.logStream }),
    },
  });
  const accounts = createAccounts({ db: database.db, now });
  const handler = new OpenAPIHandler(createRouter({ accounts, db: database.db, now }), {
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

  await app.register(rateLimit, { max: CALLS_A_MINUTE, timeWindow: '1 minute', keyGenerator: callerOf });
  app.setErrorHandler((error, request, reply) => {
    const { status, body, isBug } = answerError(error, request.id);
    if (isBug) request.log.error({ err: error }, 'a request failed');
    return reply.status(status).send(body);
  });
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
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('the body is no JSON'), { statusCode: 400 }));
    }
  });
  const answerCall = async (
    request: Parameters<typeof handler.handle>[0],
    reply: Parameters<typeof handler.handle>[1],
  ): Promise<unknown> => {
    const context = { authorization: request.headers.authorization, requestId: request.id };
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
  app.all('/v1/devices/*', { config: accountLimit }, answerCall);
  app.all('/v1/sync/*', answerCall);
  return app;
}

/** A device is limited by itself, so that a school behind one address is not one caller. */
function callerOf(request: { ip: string; headers: { authorization?: string | undefined } }): string {
  const device = /^Bearer ([0-9a-f-]{36})\./.exec(request.headers.authorization ?? '')?.[1];
  return device === undefined ? request.ip : `${request.ip} ${device}`;
}

async function describeApi(): Promise<unknown> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(serverContract, { info: API_DESCRIPTION });
}
