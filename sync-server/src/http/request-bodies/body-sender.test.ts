import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../compose/build-app.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { anHonestLearner, type HonestLearner } from '../../../test-kit/sync/honest-learner.ts';
import { requestBytes, sendRaw } from '../../../test-kit/raw-connection.ts';
import {
  aPushRequest,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const MEGABYTE = 1_048_576;

let server: TestServer;
let address: string;
let honest: HonestLearner;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), {
    withCatalogue: true,
    // The test names its networks in the header of a proxy.
    trustProxy: 1,
    bodyLimits: {
      bodiesPerCaller: 4,
      bytesPerCaller: 2 * MEGABYTE,
      bytesPerNetwork: 2 * MEGABYTE,
      bytesPerProcess: 4 * MEGABYTE,
    },
  });
  address = await server.listen();
  honest = await anHonestLearner(server);
});
afterAll(() => server.close());

const madeUpToken = (): string => `Bearer ${randomUUID()}.${randomBytes(32).toString('base64url')}`;
const withheld = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.byteLength - 12);
const unauthorized = { status: 401, body: { code: 'auth.required' } };

it.each(['/v1/speech/transcribe', '/v1/speech/assess'])(
  'an unauthenticated caller’s audio is not read at %s',
  async (path) => {
    const headers = { authorization: madeUpToken(), 'content-type': PCM_MEDIA_TYPE };
    const request = requestBytes({ path, headers, body: Buffer.alloc(100_000) });
    expect(await sendRaw(address, withheld(request))).toMatchObject(unauthorized);
    const packed = { ...headers, 'content-encoding': 'gzip' };
    const compressed = requestBytes({ path, headers: packed, body: gzipSync(Buffer.alloc(5_800_000)) });
    expect(await sendRaw(address, withheld(compressed))).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  },
);

describe('an unauthenticated caller who withholds the body', () => {
  const packed = gzipSync(Buffer.alloc(5_800_000));
  it.each([
    ['/v1/speech/speak', 'application/json'],
    ['/v1/sync/push', 'application/json'],
    ['/v1/sync/stream', 'application/json'],
    ['/v1/coach/reply', 'application/json'],
    ['/v1/coach/lease', 'application/json'],
    ['/v1/devices/revoke', 'application/json'],
    ['/v1/account/request-deletion', 'application/json'],
    ['/v1/billing/checkout', 'application/json'],
    ['/v1/admin/users', 'application/json'],
  ])('is rejected at %s by the token, without reading the body', async (path, type) => {
    const headers = { authorization: madeUpToken(), 'content-type': type };
    for (const encoding of ['gzip', 'identity'])
      expect(
        await sendRaw(
          address,
          withheld(requestBytes({ path, headers: { ...headers, 'content-encoding': encoding }, body: packed })),
        ),
      ).toMatchObject(unauthorized);
  });

  it.each(['/v1/devices/register', '/v1/devices/join', '/v1/account/sign-in', '/sign-in', '/unsubscribe', '/nowhere'])(
    'is rejected at %s when the body is compressed or long',
    async (path) => {
      const headers = { 'content-type': 'application/json' };
      const compressed = { ...headers, 'content-encoding': 'gzip' };
      for (const bytes of [
        requestBytes({ path, headers: compressed, body: packed }),
        requestBytes({ path, headers, body: Buffer.alloc(MEGABYTE, ' ') }),
      ]) {
        const { status } = await sendRaw(address, withheld(bytes));
        expect([400, 404, 413]).toContain(status);
      }
    },
  );
});

it('a browser without a session cannot submit a form', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await sendRaw(
    address,
    withheld(requestBytes({ path: '/account/sign-out', headers, body: 'x'.repeat(500) })),
  );
  expect(answer.status).toBe(303);
  expect(answer.headers).toContain('location: /sign-in');
});

describe('bodies in memory', () => {
  const large = (deviceId: string): Buffer =>
    gzipSync(JSON.stringify({ ...aPushRequest(server, deviceId, []), padding: 'x'.repeat(MEGABYTE - 1_000) }));
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-encoding': 'gzip' });

  /** Sends large pushes of a device, each without its end. Returns a function that disconnects them all. */
  async function holdBodies(device: TestDevice, from: string, count: number): Promise<() => void> {
    const headers = { ...headersOf(device.token), 'x-forwarded-for': from };
    const request = requestBytes({ path: '/v1/sync/push', headers, body: large(device.deviceId) });
    const leaving: (() => void)[] = [];
    const answers = Array.from({ length: count }, () =>
      sendRaw(address, withheld(request), { more: (socket) => leaving.push(() => socket.destroy()) }).catch(() => null),
    );
    // A body that exceeds a limit is refused at once.
    await Promise.race([Promise.all(answers), sleep(1_000)]);
    return () => {
      for (const leave of leaving) leave();
    };
  }

  it('of many accounts in one network leave room for other networks', async () => {
    const release = await Promise.all(
      [1, 2, 3].map(async () => holdBodies(await registerDevice(server), '203.0.113.7', 2)),
    );
    const { token, deviceId } = await registerDevice(server);
    const headers = { ...headersOf(token), 'x-forwarded-for': '198.51.100.9' };
    const pushed = await sendRaw(address, requestBytes({ path: '/v1/sync/push', headers, body: large(deviceId) }));
    // The contract rejects the padding, but it parses a body only once all of it has arrived.
    expect(pushed).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    for (const each of release) each();
  });

  it('of one account are limited without affecting others, and accepted again afterwards', async () => {
    const attacker = await registerDevice(server);
    const request = requestBytes({
      path: '/v1/sync/push',
      headers: headersOf(attacker.token),
      body: large(attacker.deviceId),
    });
    const leaving: (() => void)[] = [];
    const answers = Array.from({ length: 8 }, () =>
      sendRaw(address, withheld(request), { more: (socket) => leaving.push(() => socket.destroy()) }).catch(() => null),
    );
    // Four bodies may be open, and two of those already reach the account's byte limit.
    const refused = [];
    for (let count = 0; count < 4; count += 1) refused.push(await Promise.race(answers.map(async (answer) => answer)));
    for (const answer of refused) expect(answer).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
    await honest.expectUnharmed();
    for (const leave of leaving) leave();
    await Promise.all(answers);
    await expect.poll(async () => (await attacker.tryPush([])).status, { timeout: 5_000, interval: 50 }).toBe(200);
  });
});

it('a route that accepts a body must declare its sender', async () => {
  const app = await buildApp({ database: await openMemoryDatabase() });
  expect(() => app.post('/v1/new', async () => ({}))).toThrow('does not say who may send it a body');
  await app.close();
});
