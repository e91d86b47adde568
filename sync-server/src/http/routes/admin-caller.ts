/**
 * Decides whether a caller may act as an admin: the role is looked up on every call, and sensitive actions need a
 * recent confirmation.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, ADMIN_CONFIRMATION_LIFETIME_MS, type Caller, type Confirmation } from '../../account/index.ts';
import type { SecondFactor } from '../../school/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { assertSameOrigin } from '../../web/csrf-guard.ts';
import { toAdmissionRequest } from '../request-bodies/body-sender.ts';
import type { Admit, RequestContext } from './admission.ts';

export interface AdminDemand {
  /**
   * A sensitive action cannot be undone or grants power, so it needs a code that was entered in the last ten minutes.
   */
  isSensitive?: boolean;
  /** Whether the call is itself a step of entering the second factor. */
  entersSecondFactor?: boolean;
}

export type RequireAdmin = (context: RequestContext, demand?: AdminDemand) => Promise<Caller>;

export interface AdminCallerParts {
  admit: Admit;
  access: Pick<Access, 'requireAdmin'>;
  confirmation: Confirmation;
  secondFactor: Pick<SecondFactor, 'require'>;
}

/** Authenticates a device by its token, or a browser by its session. */
export const createAuthenticateCaller =
  (admit: Admit) =>
  async (context: RequestContext): Promise<Caller> => {
    if (context.authorization !== undefined) return admit(context);
    const { id, userId } = await context.webSession();
    return { userId, sessionId: id };
  };

export function createRequireAdmin({ admit, access, confirmation, secondFactor }: AdminCallerParts): RequireAdmin {
  const authenticateCaller = createAuthenticateCaller(admit);
  return async (context, { isSensitive = false, entersSecondFactor = false } = {}) => {
    const caller = await authenticateCaller(context);
    await access.requireAdmin(caller.userId);
    await confirmation.require(caller, isSensitive ? undefined : ADMIN_CONFIRMATION_LIFETIME_MS);
    if (!entersSecondFactor) await secondFactor.require(caller);
    return caller;
  };
}

export interface RouteCallers {
  /** A device by its token, or a browser by its session. */
  authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  /** Requires the same as the procedures of the contract: an admin now, confirmed recently, and from our own page. */
  requireAdmin: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
  requireAdminRights: (caller: Caller) => Promise<void>;
}

/** Identifies the callers of routes that carry files and are therefore not procedures of the contract. */
export function createRouteCallers({
  admit,
  access,
  confirmation,
  secondFactor,
  gate,
}: AdminCallerParts & { gate: Pick<BrowserSessions, 'requireWebSession'> }): RouteCallers {
  const authenticate: RouteCallers['authenticate'] = async (request, reply) => {
    if (request.headers.authorization !== undefined) return admit(toAdmissionRequest(request, reply));
    const { id, userId } = await gate.requireWebSession(request, { admin: false });
    if (request.method !== 'GET' && request.method !== 'HEAD') assertSameOrigin(request);
    return { userId, sessionId: id };
  };
  const requireAdminRights: RouteCallers['requireAdminRights'] = async (caller) => {
    await access.requireAdmin(caller.userId);
    await confirmation.require(caller, ADMIN_CONFIRMATION_LIFETIME_MS);
    await secondFactor.require(caller);
  };
  return {
    authenticate,
    requireAdminRights,
    requireAdmin: async (request, reply) => {
      const caller = await authenticate(request, reply);
      await requireAdminRights(caller);
      return caller;
    },
  };
}
