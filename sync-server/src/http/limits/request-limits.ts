/**
 * Limits unauthenticated requests by address, with a stricter limit on routes that issue or accept secrets. A device with a valid token has
 * its own limit, so a school behind one address does not count as one caller.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { DatabaseConnection } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import { clientNetwork, widerNetworks } from '../addresses/client-network.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { createInMemoryLimiter, createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health checks are frequent, come from few addresses and use an address instead of a host name. */
    isHealthCheck?: boolean;
  }
}

const REQUESTS_PER_MINUTE = 1_200;
const STRICT_REQUESTS_PER_MINUTE = 20;
const TOKEN_TTL_MS = 10 * 60_000;
const MAX_KNOWN_TOKENS = 50_000;

export interface RequestLimits {
  /** Applies to all routes that are added afterwards. */
  guard: (app: FastifyInstance) => void;
  /** Options for routes that issue or accept secrets; each such route has its own counter. */
  strict: RouteShorthandOptions;
  /**
   * Does the same for routes of devices. An authenticated device counts for itself, because a whole class behind one
   * address may make the same request within a minute.
   */
  strictForDevices: RouteShorthandOptions;
  /** Records that the token in this header is valid and belongs to a device. */
  accepted: (authorization: string | undefined) => void;
  /** Records that the token is invalid or revoked. */
  refused: (authorization: string | undefined) => void;
}

export interface RequestLimitParts {
  database: Pick<DatabaseConnection, 'db' | 'jobs'>;
  requestsPerMinute?: number;
  strictRequestsPerMinute?: number;
}

export function createRequestLimits(parts: RequestLimitParts): RequestLimits {
  const {
    database,
    requestsPerMinute = REQUESTS_PER_MINUTE,
    strictRequestsPerMinute = STRICT_REQUESTS_PER_MINUTE,
  } = parts;
  const addressLimiter = createNetworkLimiter(database, { name: 'addresses', pointsPerMinute: requestsPerMinute });
  const routeLimiter = createNetworkLimiter(database, { name: 'routes', pointsPerMinute: strictRequestsPerMinute });
  // Requests of devices are also limited per account across all nodes. This limit only protects this node.
  const deviceLimiter = createInMemoryLimiter({ name: 'devices', pointsPerMinute: requestsPerMinute });
  const validTokens = createBoundedCache<true>({ maxKeys: MAX_KNOWN_TOKENS, ttlMs: TOKEN_TTL_MS });
  /** The network that a request was charged to while its token was still unknown, by token. */
  const chargedNetworkByToken = createBoundedCache<string>({ maxKeys: MAX_KNOWN_TOKENS, ttlMs: TOKEN_TTL_MS });

  const limitRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.isHealthCheck === true) return;
    const token = hashToken(request.headers.authorization);
    if (token !== null && validTokens.has(token)) return rejectIfLimited(await deviceLimiter.consume(token), reply);
    const caller = clientNetwork(request.ip);
    if (token !== null) chargedNetworkByToken.set(token, caller);
    rejectIfLimited(await addressLimiter.consume(request.ip), reply);
  };

  const limitRoute = async (
    request: FastifyRequest,
    reply: FastifyReply,
    provenToken: string | null,
  ): Promise<void> => {
    const route = `${request.routeOptions.url} `;
    const consumed =
      provenToken === null
        ? routeLimiter.consume(request.ip, route)
        : routeLimiter.ofCallers.consume(`${route}${provenToken}`);
    rejectIfLimited(await consumed, reply);
  };

  return {
    guard: (app) => void app.addHook('onRequest', limitRequest),
    strict: {
      onRequest: (request, reply) => limitRoute(request, reply, null),
    },
    strictForDevices: {
      onRequest: (request, reply) => {
        const token = hashToken(request.headers.authorization);
        const isProven = token !== null && validTokens.has(token);
        return limitRoute(request, reply, isProven ? token : null);
      },
    },
    accepted: (authorization) => {
      const token = hashToken(authorization);
      if (token === null) return;
      validTokens.set(token, true);
      refund(addressLimiter.ofCallers, chargedNetworkByToken.get(token));
      chargedNetworkByToken.delete(token);
    },
    refused: (authorization) => {
      const token = hashToken(authorization);
      if (token !== null) validTokens.delete(token);
    },
  };
}

interface NetworkLimiter {
  /** Counts a request against its network and, for IPv6, against the wider ones. */
  consume: (address: string, keyPrefix?: string) => Promise<number | null>;
  ofCallers: RateLimiter;
}

/** The share of a wider network's limit that a node takes at once. */
const SHARE_OF_BLOCK = 0.02;

/** One machine in an IPv6 /48 could otherwise count as 65,536 callers. */
function createNetworkLimiter(database: RequestLimitParts['database'], limit: RateLimit): NetworkLimiter {
  const ofCallers = createRateLimiter(database, limit);
  const limiterByAllowance = new Map<number, RateLimiter>();
  const ofNetworks = (allowance: number): RateLimiter => {
    const pointsPerMinute = limit.pointsPerMinute * allowance;
    const limiter =
      limiterByAllowance.get(allowance) ??
      createRateLimiter(database, {
        name: `${limit.name}-${allowance}`,
        pointsPerMinute,
        blockOf: Math.ceil(pointsPerMinute * SHARE_OF_BLOCK),
      });
    limiterByAllowance.set(allowance, limiter);
    return limiter;
  };
  return {
    ofCallers,
    async consume(address, keyPrefix = '') {
      const waitSeconds = await ofCallers.consume(`${keyPrefix}${clientNetwork(address)}`);
      if (waitSeconds !== null) return waitSeconds;
      for (const { network, allowance } of widerNetworks(address)) {
        const waitForNetworkSeconds = await ofNetworks(allowance).consume(`${keyPrefix}${network}`);
        if (waitForNetworkSeconds !== null) return waitForNetworkSeconds;
      }
      return null;
    },
  };
}

/** Refunds the first request of a device to its network; otherwise a few hundred devices behind one address could not reconnect at once. */
function refund(limiter: RateLimiter, caller: string | undefined): void {
  // The limiter falls back to memory when the database fails. If that fails too, the points expire with their minute.
  if (caller !== undefined) limiter.refund(caller).catch(() => undefined);
}

function rejectIfLimited(waitSeconds: number | null, reply: FastifyReply): void {
  if (waitSeconds === null) return;
  void reply.header('retry-after', waitSeconds);
  throw new DomainError('request.too_many');
}

/** Hashes the token, so that the token itself is not kept in memory. */
const hashToken = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : hash('sha256', authorization, 'base64url');
