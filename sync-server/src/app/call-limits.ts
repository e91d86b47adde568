/** How often may be asked before anybody has proved who they are: of every address of the server, and more strictly where secrets are. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

const CALLS_A_MINUTE = 1_200;
const STRICT_CALLS_A_MINUTE = 20;

/** For all routes that are added from here on. */
export async function limitCallers(app: FastifyInstance, callsAMinute = CALLS_A_MINUTE): Promise<void> {
  await app.register(rateLimit, { max: callsAMinute, timeWindow: '1 minute', keyGenerator: callerOf });
}

/** A device is limited by itself, so that a school behind one address is not one caller. */
function callerOf(request: { ip: string; headers: { authorization?: string | undefined } }): string {
  const device = /^Bearer ([0-9a-f-]{36})\./.exec(request.headers.authorization ?? '')?.[1];
  return device === undefined ? request.ip : `${request.ip} ${device}`;
}

/** For a route that hands out or takes secrets. */
export const strictly = (callsAMinute = STRICT_CALLS_A_MINUTE): RouteShorthandOptions => ({
  config: {
    rateLimit: {
      max: callsAMinute,
      timeWindow: '1 minute',
      // Here nobody has proved to be a device yet: whoever guesses codes could name a new one in each call.
      keyGenerator: (request: { ip: string }) => request.ip,
    },
  },
});
