import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestBytes } from '../../../test-kit/raw-connection.ts';
import { DomainError } from '../../domain-error.ts';
import { BODY_LIMITS, createBodyBudget } from './body-budget.ts';
import { authenticateBeforeBody } from './body-sender.ts';
import { meterBodies } from './meter-bodies.ts';

const AUTHENTICATION_MS = 100;
const unused = (): Promise<never> => Promise.reject(new Error('the route has no such caller'));

let app: FastifyInstance;
let isSlow: boolean;
let begun: number;
let ended: number;

beforeEach(async () => {
  [isSlow, begun, ended] = [true, 0, 0];
  app = Fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof DomainError && error.code === 'request.too_many' ? 429 : 400).send({}),
  );
  const budget = createBodyBudget(BODY_LIMITS);
  meterBodies(app, { bodies: budget, speech: budget });
  authenticateBeforeBody(app, {
    accounts: {
      authenticate: async () => {
        begun += 1;
        if (isSlow) await sleep(AUTHENTICATION_MS);
        return { userId: 'learner', deviceId: 'device' };
      },
    },
    access: { requireAdmin: unused },
    gate: { requireWebSession: unused },
    requestLimits: { accepted: () => undefined, refused: () => undefined },
    onProven: () => undefined,
  });
  const end = async (): Promise<void> => {
    ended += 1;
  };
  app.addHook('preValidation', end);
  app.addHook('onError', end);
  app.post('/pushes', { config: { caller: 'device' } }, async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

const port = (): number => Number(new URL(app.listeningOrigin).port);

/** Sends a request and disconnects while its sender is still being authenticated. */
async function hangUpEarly(bodyLength: number): Promise<void> {
  const socket = connect(port(), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(requestBytes({ path: '/pushes', headers: { 'content-length': String(bodyLength) }, body: '{}' }));
  await sleep(AUTHENTICATION_MS / 4);
  socket.destroy();
}

describe.each([
  { body: 'whole', bodyLength: 2 },
  { body: 'begun', bodyLength: 200 },
  { body: 'begun, large', bodyLength: 200_000 },
])('callers who hang up while they are authenticated, with a body that is $body', ({ bodyLength }) => {
  it('take no place, and their requests end', async () => {
    const hangUps = BODY_LIMITS.bodiesPerCaller + 4;
    await Promise.all(Array.from({ length: hangUps }, () => hangUpEarly(bodyLength)));
    await expect.poll(() => [begun, ended]).toEqual([hangUps, hangUps]);
    isSlow = false;
    const honest = await fetch(`${app.listeningOrigin}/pushes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(honest.status).toBe(200);
  });
});
