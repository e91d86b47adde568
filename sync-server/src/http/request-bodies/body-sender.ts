/** Authenticates the sender of a request before its body is read, so that an unauthenticated body costs almost nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import type { Access, DeviceRegistry, SignedInDevice } from '../../account/index.ts';
import { DomainError } from '../../domain-error.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { isNormalizedPath } from '../addresses/normalized-path.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';

/**
 * Who may send a body to a route.
 *
 * - `device`: a device with its token.
 * - `browser`: a browser with its session's cookie.
 * - `admin`: either of the two, for an account that is an admin.
 * - `key`: a program whose key the route checks in a hook that runs before the body is read.
 * - `anyone`: an unauthenticated sender; the body must be small and uncompressed.
 */
export type BodySender = 'device' | 'browser' | 'admin' | 'key' | 'anyone';

declare module 'fastify' {
  interface FastifyContextConfig {
    caller?: BodySender;
    /** Whether the route forwards the body while it arrives instead of keeping it in memory. */
    streamsBody?: boolean;
    /** Whether the body is live speech, of which a school sends a lot at the same time. */
    isSpeech?: boolean;
  }
}

/** The limit for an unauthenticated body; the longest form or sign-in request is far below it. */
export const ANONYMOUS_BODY_BYTES = 16 * 1_024;

const BODYLESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** How long a device's authentication is reused while its request arrives; the device may be signed out meanwhile. */
const PROOF_TTL_MS = 1_000;

interface Proof {
  device: SignedInDevice;
  atMs: number;
}

const proofs = new WeakMap<FastifyRequest, Proof>();
const provenUserIds = new WeakMap<FastifyRequest, string>();

/** Returns the device that authenticated this request, or null when it must be looked up again. */
function provenDevice(request: FastifyRequest): SignedInDevice | null {
  const proof = proofs.get(request);
  return proof !== undefined && performance.now() - proof.atMs < PROOF_TTL_MS ? proof.device : null;
}

/** Collects what is needed to admit the caller of a request. */
export const toAdmissionRequest = (request: FastifyRequest, reply: FastifyReply) => ({
  authorization: request.headers.authorization,
  provenDevice: provenDevice(request),
  retryAfter: (seconds: number) => void reply.header('retry-after', seconds),
});

/** Returns the account that authenticated this request, or null. */
export const provenUserId = (request: FastifyRequest): string | null => provenUserIds.get(request) ?? null;

export interface BodySenderParts {
  accounts: Pick<DeviceRegistry, 'authenticate'>;
  access: Pick<Access, 'requireAdmin'>;
  gate: Pick<BrowserSessions, 'requireWebSession'>;
  requestLimits: Pick<RequestLimits, 'accepted' | 'refused'>;
  /** Called as soon as a request has authenticated. */
  onProven: (request: FastifyRequest, userId: string) => void;
}

/** Applies to all routes that are added afterwards: a route that accepts a body must declare its sender. */
export function authenticateBeforeBody(app: FastifyInstance, parts: BodySenderParts): void {
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => BODYLESS_METHODS.has(method.toUpperCase()))) return;
    const caller = route.config?.caller;
    if (caller === undefined) throw new Error(`the route ${route.url} does not say who may send it a body`);
    if (caller === 'anyone') {
      route.bodyLimit = Math.min(route.bodyLimit ?? ANONYMOUS_BODY_BYTES, ANONYMOUS_BODY_BYTES);
      route.onRequest = [...handlersOf(route), rejectCompressed];
    } else if (caller !== 'key') {
      route.onRequest = [...handlersOf(route), authenticateFirst(caller, parts)];
    }
  });
}

const handlersOf = ({ onRequest }: RouteOptions): onRequestHookHandler[] =>
  onRequest === undefined ? [] : [onRequest].flat();

/**
 * A decompressed body may be a thousand times as long, so only devices may compress. Audio would hardly shrink anyway.
 */
export const rejectCompressed = async ({ headers }: FastifyRequest): Promise<void> => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new DomainError('request.invalid', { field: 'content-encoding' });
};

function authenticateFirst(
  caller: 'device' | 'browser' | 'admin',
  { accounts, access, gate, requestLimits, onProven }: BodySenderParts,
) {
  const userIdOf = async (request: FastifyRequest): Promise<string> => {
    const { authorization } = request.headers;
    if (caller === 'browser' || (caller === 'admin' && authorization === undefined))
      return (await gate.requireWebSession(request, { admin: false })).userId;
    const device = await accounts.authenticate(authorization).catch((error: unknown) => {
      requestLimits.refused(authorization);
      throw error;
    });
    requestLimits.accepted(authorization);
    proofs.set(request, { device, atMs: performance.now() });
    return device.userId;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isNormalizedPath(request.url)) return reply.callNotFound();
    const userId = await userIdOf(request);
    if (caller === 'admin') await access.requireAdmin(userId);
    provenUserIds.set(request, userId);
    onProven(request, userId);
    return undefined;
  };
}
