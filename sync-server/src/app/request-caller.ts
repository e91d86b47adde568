/** Establishes who sends a request before its body is read or inflated, so that a stranger's body costs next to nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import type { Access, Accounts, SignedInDevice } from '../account/index.ts';
import { failure } from '../failure.ts';
import type { CallLimits } from './call-limits.ts';
import { isPlainAddress } from './plain-address.ts';
import type { WebGate } from './web-gate.ts';

/**
 * Who may send a body to a route.
 *
 * - `device`: a device with its token.
 * - `browser`: a browser with its session's cookie.
 * - `admin`: either of the two, of an account that is an admin's.
 * - `key`: a program whose key the route checks itself, in a hook that runs before the body is read.
 * - `anyone`: the body must be small, and must not be compressed.
 */
export type Caller = 'device' | 'browser' | 'admin' | 'key' | 'anyone';

declare module 'fastify' {
  interface FastifyContextConfig {
    caller?: Caller;
    /** The route hands the body on while it arrives, and does not keep it. */
    streamsBody?: boolean;
  }
}

/** Of a body whose sender has proved nothing: the longest form or sign-in request is far below this. */
export const STRANGERS_BODY_BYTES = 16 * 1_024;

const BODYLESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** How long a device's proof holds while its request is still arriving; it may be signed out meanwhile. */
const PROOF_LIFE_MS = 1_000;

interface Proof {
  device: SignedInDevice;
  atMs: number;
}

const proofs = new WeakMap<FastifyRequest, Proof>();
const provenUserIds = new WeakMap<FastifyRequest, string>();

/** The device that the request has proved to come from, or null when that has to be looked up again. */
function provenDevice(request: FastifyRequest): SignedInDevice | null {
  const proof = proofs.get(request);
  return proof !== undefined && performance.now() - proof.atMs < PROOF_LIFE_MS ? proof.device : null;
}

/** What an admission needs to know of a request. */
export const admissionOf = (request: FastifyRequest, reply: FastifyReply) => ({
  authorization: request.headers.authorization,
  provenDevice: provenDevice(request),
  retryAfter: (seconds: number) => void reply.header('retry-after', seconds),
});

/** The account that the request has proved to come from; null for a stranger. */
export const provenUserId = (request: FastifyRequest): string | null => provenUserIds.get(request) ?? null;

export interface CallerParts {
  accounts: Pick<Accounts, 'authenticate'>;
  access: Pick<Access, 'requireAdmin'>;
  gate: Pick<WebGate, 'requireWebSession'>;
  callLimits: Pick<CallLimits, 'accepted' | 'refused'>;
  /** Told as soon as a request has proved whose it is. */
  onProven: (request: FastifyRequest) => void;
}

/** For all routes that are added from here on: a route that takes a body must say whose. */
export function requireCallers(app: FastifyInstance, parts: CallerParts): void {
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => BODYLESS_METHODS.has(method.toUpperCase()))) return;
    const caller = route.config?.caller;
    if (caller === undefined) throw new Error(`the route ${route.url} does not say who may send it a body`);
    if (caller === 'anyone') {
      route.bodyLimit = Math.min(route.bodyLimit ?? STRANGERS_BODY_BYTES, STRANGERS_BODY_BYTES);
      route.onRequest = [...handlersOf(route), refuseCompressed];
    } else if (caller !== 'key') {
      route.onRequest = [...handlersOf(route), proveFirst(caller, parts)];
    }
  });
}

const handlersOf = ({ onRequest }: RouteOptions): onRequestHookHandler[] =>
  onRequest === undefined ? [] : [onRequest].flat();

/** What is inflated may be a thousand times as long: only a device may send it, and sound does not get smaller. */
export const refuseCompressed = async ({ headers }: FastifyRequest): Promise<void> => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw failure('request.invalid', { field: 'content-encoding' });
};

function proveFirst(
  caller: 'device' | 'browser' | 'admin',
  { accounts, access, gate, callLimits, onProven }: CallerParts,
) {
  const userIdOf = async (request: FastifyRequest): Promise<string> => {
    const { authorization } = request.headers;
    if (caller === 'browser' || (caller === 'admin' && authorization === undefined))
      return (await gate.requireWebSession(request, { admin: false })).userId;
    const device = await accounts.authenticate(authorization).catch((error: unknown) => {
      callLimits.refused(authorization);
      throw error;
    });
    callLimits.accepted(authorization);
    proofs.set(request, { device, atMs: performance.now() });
    return device.userId;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isPlainAddress(request.url)) return reply.callNotFound();
    const userId = await userIdOf(request);
    if (caller === 'admin') await access.requireAdmin(userId);
    provenUserIds.set(request, userId);
    onProven(request);
    return undefined;
  };
}
