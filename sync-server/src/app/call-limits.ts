/**
 * How often a caller may ask before it has proved who it is: by its address at every route, and more strictly where secrets are handed
 * out or taken. Only the device that a token was checked for is counted by itself, so that a school behind one address is not one caller.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { DatabaseConnection } from '../db/client.ts';
import { failure } from '../failure.ts';
import { callerOf } from './caller-address.ts';
import { createOwnLimiter, createRateLimiter, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For health checks: asked often, from few addresses, and by address instead of name. */
    isHealthCheck?: boolean;
  }
}

const CALLS_A_MINUTE = 1_200;
const STRICT_CALLS_A_MINUTE = 20;
const KNOWN_FOR_MS = 10 * 60_000;
const MOST_KNOWN = 50_000;

export interface CallLimits {
  /** For all routes that are added from here on. */
  guard: (app: FastifyInstance) => void;
  /** For a route that hands out or takes secrets, each counted by itself. */
  strict: RouteShorthandOptions;
  /** This header's token was checked, and is a device's. */
  accepted: (authorization: string | undefined) => void;
  /** It is none, or none any more. */
  refused: (authorization: string | undefined) => void;
}

export interface CallLimitParts {
  database: Pick<DatabaseConnection, 'db' | 'jobs'>;
  callsAMinute?: number;
  strictCallsAMinute?: number;
}

export function createCallLimits(parts: CallLimitParts): CallLimits {
  const { database, callsAMinute = CALLS_A_MINUTE, strictCallsAMinute = STRICT_CALLS_A_MINUTE } = parts;
  const ofAddresses = createRateLimiter(database, { name: 'addresses', pointsAMinute: callsAMinute });
  const ofRoutes = createRateLimiter(database, { name: 'routes', pointsAMinute: strictCallsAMinute });
  // What devices ask is counted by account too, over all nodes: this only keeps one of them from overrunning this node.
  const ofDevices = createOwnLimiter({ name: 'devices', pointsAMinute: callsAMinute });
  const known = new LRUCache<string, true>({ max: MOST_KNOWN, ttl: KNOWN_FOR_MS });
  /** By token: the address that a call with it was counted by while it was not known. */
  const counted = new LRUCache<string, string>({ max: MOST_KNOWN, ttl: KNOWN_FOR_MS });

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.isHealthCheck === true) return;
    const token = tokenKey(request.headers.authorization);
    if (token !== null && known.has(token)) return refuseIf(await ofDevices.consume(token), reply);
    const caller = callerOf(request.ip);
    if (token !== null) counted.set(token, caller);
    refuseIf(await ofAddresses.consume(caller), reply);
  };

  return {
    guard: (app) => void app.addHook('onRequest', admit),
    strict: {
      onRequest: async (request, reply) =>
        refuseIf(await ofRoutes.consume(`${request.routeOptions.url} ${callerOf(request.ip)}`), reply),
    },
    accepted: (authorization) => {
      const token = tokenKey(authorization);
      if (token === null) return;
      known.set(token, true);
      giveBack(ofAddresses, counted.get(token));
      counted.delete(token);
    },
    refused: (authorization) => {
      const token = tokenKey(authorization);
      if (token !== null) known.delete(token);
    },
  };
}

/** A device's first call is not its address's: otherwise a few hundred devices behind one address could not come back at once. */
function giveBack(limiter: RateLimiter, caller: string | undefined): void {
  // The limiter counts in memory when the database fails; when it fails too, the minute ends by itself.
  if (caller !== undefined) limiter.reward(caller).catch(() => undefined);
}

function refuseIf(waitSeconds: number | null, reply: FastifyReply): void {
  if (waitSeconds === null) return;
  void reply.header('retry-after', waitSeconds);
  throw failure('request.too_many');
}

/** Tokens themselves are kept nowhere. */
const tokenKey = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : createHash('sha256').update(authorization).digest('base64url');
