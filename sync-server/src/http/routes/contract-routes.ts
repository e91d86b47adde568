/** Mounts the contract's procedures on Fastify and applies the strict rate limit where secrets are involved. */
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { POKE_ROWS_HEADER, POKE_ROWS_WANTED, type ProcedureMeta, SERVER_INFO_PATH } from '@parley/contract';
import { listProcedures } from '../openapi/list-procedures.ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import { withContractErrors } from '../errors/contract-errors.ts';
import { assertSameOrigin } from '../../web/csrf-guard.ts';
import { wantedLanguage } from '../../localization/index.ts';
import { isNormalizedPath } from '../addresses/normalized-path.ts';
import { toAdmissionRequest, type BodySender } from '../request-bodies/body-sender.ts';
import type { Admit, RequestContext } from './admission.ts';
import { createRouter, type RouterParts } from './contract-router.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { logUnexpected } from '../errors/report-bug.ts';

export interface ContractRouteParts extends RouterParts {
  admit: Admit;
  gate: BrowserSessions;
  /** Rate limit of the routes that issue or accept secrets. */
  strict: RouteShorthandOptions;
  strictForDevices: RouteShorthandOptions;
}

/**
 * A whole class signs in at the beginning of its first lesson. Messages and guesses are also limited by address and by
 * network.
 */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set(['/v1/account/request-sign-in', '/v1/account/sign-in']);

export function addContractRoutes(app: FastifyInstance, parts: ContractRouteParts): void {
  const { strict, strictForDevices } = parts;
  const handler = openHandler(app.log, parts);
  const handleRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isNormalizedPath(request.url)) return reply.callNotFound();
    const { matched } = await handler.handle(request, reply, { context: createContext(parts, request, reply) });
    return matched ? reply : reply.callNotFound();
  };
  const from = (caller: BodySender, { config, ...options }: RouteShorthandOptions = {}): RouteShorthandOptions => ({
    ...options,
    config: { ...config, caller },
  });
  app.get(SERVER_INFO_PATH, handleRequest);
  app.get('/v1/devices', handleRequest);
  // Each of these routes has its own strict limit, which also covers the paths below it.
  for (const { method, path, caller } of listProcedures())
    if (caller === 'anyone' && method === 'POST')
      app.all(path, from('anyone', SIGN_IN_PATHS.has(path) ? strictForDevices : strict), handleRequest);
  app.all('/v1/devices/*', from('device', strictForDevices), handleRequest);
  app.get('/v1/account', handleRequest);
  app.get('/v1/account/assignments', handleRequest);
  for (const path of ['request-confirmation', 'confirm', '*'])
    app.all(`/v1/account/${path}`, from('device', strictForDevices), handleRequest);
  app.all('/v1/admin/*', from('admin'), handleRequest);
  app.get('/v1/billing/plans', handleRequest);
  // Each request queries the payment provider, which limits all requests of the server together.
  app.get('/v1/billing/invoices', strict, handleRequest);
  for (const path of ['start-trial', 'checkout', 'portal'])
    app.post(`/v1/billing/${path}`, from('device', strictForDevices), handleRequest);
  app.post('/v1/crashes', from('device', strictForDevices), handleRequest);
  app.post('/v1/practice-reports', from('device', strictForDevices), handleRequest);
  app.all('/v1/sync/*', from('device'), handleRequest);
  for (const path of ['keep', 'list', 'announce', 'verify'])
    app.post(`/v1/recordings/${path}`, from('device'), handleRequest);
  app.get('/v1/coach', handleRequest);
  app.all('/v1/coach/*', from('device'), handleRequest);
}

const openHandler = (log: FastifyBaseLogger, parts: RouterParts & { admit: Admit }): OpenAPIHandler<RequestContext> =>
  new OpenAPIHandler(createRouter(parts), {
    clientInterceptors: [
      async ({ next, procedure, signal, context: { requestId, bodySender } }) =>
        withContractErrors(
          async () => {
            requireOwnRoute(procedure['~orpc'].meta as ProcedureMeta, bodySender);
            return next();
          },
          { requestId, signal, onBug: (error) => logUnexpected(log, error, { requestId }) },
        ),
    ],
  });

/**
 * The limits and the authentication belong to the route, so a procedure for other callers must not be reachable through
 * it.
 */
function requireOwnRoute({ caller }: ProcedureMeta, bodySender: BodySender | undefined): void {
  if (bodySender !== undefined && bodySender !== caller) throw new DomainError('request.invalid');
}

const createContext = (
  { gate, coachings }: Pick<ContractRouteParts, 'gate' | 'coachings'>,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext => ({
  ...toAdmissionRequest(request, reply),
  localChoice: coachings.choiceOf(request),
  canUseLocalModels: coachings.isAvailableTo(request),
  wantsPokeRows: request.headers[POKE_ROWS_HEADER] === POKE_ROWS_WANTED,
  requestId: request.id,
  bodySender: request.routeOptions.config.caller,
  address: request.ip,
  language: wantedLanguage(request),
  webSession: async () => {
    const session = await gate.requireWebSession(request, { admin: false });
    assertSameOrigin(request);
    return session;
  },
  browser: {
    userAgent: request.headers['user-agent'],
    sessionCookie: gate.readSessionCookie(request),
    mark: gate.readBrowserMark(request),
    assertSameOrigin: () => assertSameOrigin(request),
    rememberSession: (cookie, mark) => {
      gate.setSessionCookie(reply, cookie);
      gate.setBrowserMark(reply, mark);
    },
    forgetSession: () => gate.clearSessionCookie(reply),
  },
});
