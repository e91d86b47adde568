/** The contract's calls over HTTP: at which addresses they are answered, and at which strictly. */
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { ORPCError } from '@orpc/server';
import { ABOUT_PATH } from '@parley/contract';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { failure } from '../failure.ts';
import { answerError } from './error-policy.ts';
import { isOwnPage } from './form-guard.ts';
import { isPlainAddress } from './plain-address.ts';
import { admissionOf, type Caller } from './request-caller.ts';
import { type Admit, type CallContext, createRouter, type RouterParts } from './router.ts';
import type { WebGate } from './web-gate.ts';

export interface ContractRouteParts extends RouterParts {
  admit: Admit;
  gate: WebGate;
  /** Of the calls that hand out or take secrets. */
  strict: RouteShorthandOptions;
}

export function addContractRoutes(app: FastifyInstance, parts: ContractRouteParts): void {
  const { strict } = parts;
  const handler = openHandler(app.log, parts);
  const answerCall = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isPlainAddress(request.url)) return reply.callNotFound();
    const { matched } = await handler.handle(request, reply, { context: contextOf(parts, request, reply) });
    return matched ? reply : reply.callNotFound();
  };
  const from = (caller: Caller, { config, ...options }: RouteShorthandOptions = {}): RouteShorthandOptions => ({
    ...options,
    config: { ...config, caller },
  });
  app.get(ABOUT_PATH, answerCall);
  app.get('/v1/devices', answerCall);
  // Each counted by itself, and whatever else there may be under it as strictly.
  for (const path of ['register', 'join']) app.all(`/v1/devices/${path}`, from('anyone', strict), answerCall);
  app.all('/v1/devices/*', from('device', strict), answerCall);
  app.get('/v1/account', answerCall);
  for (const path of ['request-sign-in', 'sign-in', 'sign-in-by-link', 'whose-link'])
    app.all(`/v1/account/${path}`, from('anyone', strict), answerCall);
  for (const path of ['request-confirmation', 'confirm', '*'])
    app.all(`/v1/account/${path}`, from('device', strict), answerCall);
  app.all('/v1/admin/*', from('admin'), answerCall);
  app.get('/v1/billing/plans', answerCall);
  app.get('/v1/billing/invoices', answerCall);
  for (const path of ['start-trial', 'checkout', 'portal'])
    app.post(`/v1/billing/${path}`, from('device', strict), answerCall);
  app.all('/v1/sync/*', from('device'), answerCall);
  app.get('/v1/coach', answerCall);
  app.all('/v1/coach/*', from('device'), answerCall);
}

const openHandler = (log: FastifyBaseLogger, parts: RouterParts & { admit: Admit }): OpenAPIHandler<CallContext> =>
  new OpenAPIHandler(createRouter(parts), {
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (error) {
          const { body, status, isBug } = answerError(error, context.requestId);
          if (isBug) log.error({ err: error, requestId: context.requestId }, 'a request failed');
          throw new ORPCError(body.code, { status, message: body.message, data: body.data });
        }
      },
    ],
  });

const contextOf = (
  { gate, coachings }: Pick<ContractRouteParts, 'gate' | 'coachings'>,
  request: FastifyRequest,
  reply: FastifyReply,
): CallContext => ({
  ...admissionOf(request, reply),
  local: coachings.choiceOf(request),
  mayHaveLocal: coachings.isPossibleFor(request),
  requestId: request.id,
  address: request.ip,
  webSession: async () => {
    const session = await gate.requireWebSession(request, { admin: false });
    if (!isOwnPage(request.headers)) throw failure('auth.forbidden', { detail: 'origin' });
    return session;
  },
});
