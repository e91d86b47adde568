import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '../../db/tables.ts';
import { type DatabaseSuiteContext, onBothDatabases } from '../../../test-kit/databases.ts';
import { joinDevice, registerDevice, startServer, type TestServer } from '../../../test-kit/server.ts';

/** The limits work the same at any size, and this one is reached five times sooner than the real one. */
const CALLS_A_MINUTE = 240;
const GUESSES = CALLS_A_MINUTE / 2;
const STRICT_CALLS_A_MINUTE = 20;

let addresses = 0;
/** All servers on one database share their counters, so each test uses its own network. */
const aNetwork = (): string => `198.51.100.${(addresses += 1)}`;

const aToken = (deviceId: string): string => `${deviceId}.${randomBytes(32).toString('base64url')}`;

const listDevices = (server: TestServer, remoteAddress: string, token: string) =>
  server.send({ method: 'GET', url: '/v1/devices', remoteAddress, headers: { authorization: `Bearer ${token}` } });

async function manyTimes<Value>(times: number, work: (n: number) => Promise<Value>): Promise<Value[]> {
  const done: Value[] = [];
  const AT_ONCE = 20;
  for (let from = 0; from < times; from += AT_ONCE)
    done.push(
      ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, times - from) }, (_, n) => work(from + n)))),
    );
  return done;
}

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

function requestLimits({ name, openShared, openForTwo }: DatabaseSuiteContext): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await openShared(), {
      requestsPerMinute: CALLS_A_MINUTE,
      strictRequestsPerMinute: STRICT_CALLS_A_MINUTE,
    });
  });
  afterAll(() => server.app.close());

  const guessCode = (remoteAddress: string, to = server) =>
    to.send({
      method: 'POST',
      url: '/v1/devices/join',
      remoteAddress,
      payload: { deviceId: randomUUID(), name: 'Phone', platform: 'other', code: 'ABCD-EFGH' },
    });

  describe('unauthenticated callers', () => {
    it('are limited by address, whatever device ids they invent', async () => {
      const network = aNetwork();
      const answers = await manyTimes(CALLS_A_MINUTE + 80, () => listDevices(server, network, aToken(randomUUID())));
      const statuses = answers.map(({ status }) => status);
      expect([count(statuses, 401), count(statuses, 429)]).toEqual([CALLS_A_MINUTE, 80]);
      expect((await listDevices(server, aNetwork(), aToken(randomUUID()))).status).toBe(401);
    });

    it.each([
      ['/56', 2, (n: number) => `2001:db8:7:${(n % 256).toString(16)}::1`, '2001:db8:7:100::1'],
      ['/48', 8, (n: number) => `2001:db8:8:${n.toString(16)}00::1`, '2001:db8:9::1'],
    ])('are limited by IPv6 %s, whatever networks in it they use', async (_range, allowance, nthNetwork, other) => {
      const limit = allowance * STRICT_CALLS_A_MINUTE;
      const answers = await manyTimes(limit + 40, (n) => guessCode(nthNetwork(n)));
      const statuses = answers.map(({ status }) => status);
      // A node takes a block of the shared counter at once, and may refuse a few requests too early.
      expect(count(statuses, 429)).toBeGreaterThanOrEqual(40);
      expect(count(statuses, 429)).toBeLessThan(40 + limit * 0.05);
      expect((await guessCode(other)).status).not.toBe(429);
    });

    it('are limited by address on unknown paths too', async () => {
      const network = aNetwork();
      const answers = await manyTimes(CALLS_A_MINUTE + 100, (n) =>
        server.send({ method: 'GET', url: `/nothing/${n}`, remoteAddress: network }),
      );
      expect(
        count(
          answers.map(({ status }) => status),
          429,
        ),
      ).toBe(100);
    });

    it.each([
      ['one /64', (n: number) => `2001:db8:0:1:${n.toString(16)}::1`, STRICT_CALLS_A_MINUTE],
      ['one IPv4 address, written as IPv6', () => '::ffff:203.0.113.77', STRICT_CALLS_A_MINUTE],
      ['different /48s', (n: number) => `2001:db8:1${n.toString(16)}::1`, GUESSES],
    ])('may guess a code a few times a minute from %s', async (_name, addressOf, admitted) => {
      const answers = await manyTimes(GUESSES, (n) => guessCode(addressOf(n)));
      const statuses = answers.map(({ status }) => status);
      expect([count(statuses, 404), count(statuses, 429)]).toEqual([admitted, GUESSES - admitted]);
    });

    it('learn how long to wait', async () => {
      const network = aNetwork();
      await manyTimes(STRICT_CALLS_A_MINUTE, () => guessCode(network));
      const answer = await server.app.inject({ method: 'POST', url: '/v1/devices/join', remoteAddress: network });
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    });
  });

  describe('an authenticated device', () => {
    it('is served during a flood from its address until its token is revoked', async () => {
      const network = aNetwork();
      const device = await registerDevice(server);
      expect((await listDevices(server, network, device.token)).status).toBe(200);
      await manyTimes(CALLS_A_MINUTE + 1, () => listDevices(server, network, aToken(device.deviceId)));
      expect((await listDevices(server, network, device.token)).status).toBe(200);
      await (await joinDevice(server, device)).revoke(device.deviceId);
      expect((await listDevices(server, network, device.token)).status).toBe(401);
      expect((await listDevices(server, network, device.token)).status).toBe(429);
    });

    it('does not consume the limit of its address', async () => {
      const network = aNetwork();
      await manyTimes(3, async () => {
        const device = await registerDevice(server);
        await listDevices(server, network, device.token);
      });
      const answers = await manyTimes(CALLS_A_MINUTE, () => listDevices(server, network, aToken(randomUUID())));
      expect(answers.every(({ status }) => status === 401)).toBe(true);
    });

    it('counts for itself on routes that issue secrets, so that a class behind one address is served', async () => {
      const network = aNetwork();
      const strict = await startServer(server.database, { strictRequestsPerMinute: 2 });
      const askForLinkCode = async ({ token }: { token: string }): Promise<number> => {
        const headers = { authorization: `Bearer ${token}` };
        const url = '/v1/devices/link-code';
        return (await strict.send({ method: 'POST', url, remoteAddress: network, headers, payload: {} })).status;
      };
      const learners = [];
      for (let count = 0; count < 4; count += 1) learners.push(await registerDevice(server));
      for (const { token } of learners) await listDevices(strict, network, token);
      for (const learner of learners) expect(await askForLinkCode(learner)).toBe(200);
      const [first = { token: '' }] = learners;
      expect([await askForLinkCode(first), await askForLinkCode(first)]).toEqual([200, 429]);
      await strict.app.close();
    });

    it('counts for itself when it signs in, so that a class can do so in its first lesson', async () => {
      const network = aNetwork();
      const strict = await startServer(server.database, { strictRequestsPerMinute: 2 });
      const signIn = async (call: string, token?: string): Promise<number> => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const email = `${randomUUID()}@example.com`;
        const description = { deviceId: randomUUID(), name: 'Laptop', platform: 'linux', timeZone: 'UTC' };
        const payload =
          call === 'sign-in' ? { ...description, email, code: '000000', requestId: 'A'.repeat(43) } : { email };
        const url = `/v1/account/${call}`;
        return (await strict.send({ method: 'POST', url, remoteAddress: network, headers, payload })).status;
      };
      const pupils = [];
      for (let count = 0; count < 4; count += 1) pupils.push(await registerDevice(server));
      for (const { token } of pupils) await listDevices(strict, network, token);
      for (const { token } of pupils) {
        expect(await signIn('request-sign-in', token)).toBe(200);
        expect(await signIn('sign-in', token)).toBe(401);
      }
      const [first = { token: '' }] = pupils;
      expect([await signIn('sign-in', first.token), await signIn('sign-in', first.token)]).toEqual([401, 429]);
      const strangers = [];
      for (let count = 0; count < 3; count += 1) strangers.push(await signIn('sign-in', aToken(randomUUID())));
      expect(strangers).toEqual([401, 401, 429]);
      await strict.app.close();
    });

    it('cannot register others without end by ending the path in a slash', async () => {
      const network = aNetwork();
      const strict = await startServer(server.database, { strictRequestsPerMinute: 2 });
      const { token } = await registerDevice(server);
      await listDevices(strict, network, token);
      const register = async (url: string, headers: Record<string, string>): Promise<number> => {
        const payload = { deviceId: randomUUID(), userId: randomUUID(), name: 'Phone', platform: 'other' };
        return (await strict.send({ method: 'POST', url, remoteAddress: network, headers, payload })).status;
      };
      const authorized = { authorization: `Bearer ${token}` };
      const statuses = [];
      for (const end of ['', '', '', '/', '/', '//', '/?x=1', '/#'])
        statuses.push(await register(`/v1/devices/register${end}`, authorized));
      expect(statuses).toEqual([200, 200, 429, 404, 404, 429, 429, 429]);
      await strict.app.close();
    });

    it('is limited on routes without authentication', async () => {
      const network = aNetwork();
      const device = await registerDevice(server);
      await listDevices(server, network, device.token);
      const answers = await manyTimes(CALLS_A_MINUTE + 50, () =>
        server.send({
          method: 'GET',
          url: '/nothing',
          remoteAddress: network,
          headers: { authorization: `Bearer ${device.token}` },
        }),
      );
      expect(
        count(
          answers.map(({ status }) => status),
          429,
        ),
      ).toBe(50);
    });
  });

  it('does not limit health checks', async () => {
    const network = aNetwork();
    const check = () => server.send({ method: 'GET', url: '/healthz', remoteAddress: network });
    const answers = await manyTimes(CALLS_A_MINUTE + 100, check);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await manyTimes(CALLS_A_MINUTE + 1, () => listDevices(server, network, aToken(randomUUID())));
    expect((await check()).status).toBe(200);
  });

  if (openForTwo !== null)
    describe('two nodes', () => {
      it('share their counters without storing addresses, and delete expired ones', async () => {
        const [one, other] = await openForTwo();
        const nodes = await Promise.all(
          [one, other].map((database) =>
            startServer(database, { strictRequestsPerMinute: STRICT_CALLS_A_MINUTE, runsJobs: true }),
          ),
        );
        const network = aNetwork();
        const statuses: number[] = [];
        for (let n = 0; n < STRICT_CALLS_A_MINUTE + 4; n += 1) {
          const node = nodes[n % 2];
          if (node !== undefined) statuses.push((await guessCode(network, node)).status);
        }
        expect([count(statuses, 404), count(statuses, 429)]).toEqual([STRICT_CALLS_A_MINUTE, 4]);
        const kept = await one.db.select().from(rateLimits);
        expect(kept.length).toBeGreaterThan(0);
        expect(JSON.stringify(kept)).not.toContain(network);
        await one.db.execute(sql`update rate_limits set expire = now() - interval '1 second'`);
        await nodes[0]?.listen();
        await expect.poll(() => one.db.$count(rateLimits), { timeout: 20_000 }).toBe(0);
        await Promise.all(nodes.map((node) => node.close()));
      });

      it('share the limit of an account when each takes several points at once', async () => {
        const [one, other] = await openForTwo();
        const limit = 200;
        const block = 4;
        const options = { accountLimits: { requests: limit, changes: limit } };
        const nodes = await Promise.all([one, other].map((database) => startServer(database, options)));
        const [near, far] = nodes;
        if (near === undefined || far === undefined) throw new Error('a node is missing');
        const { token } = await registerDevice(near);
        const ask = async (node: TestServer): Promise<number> => (await listDevices(node, aNetwork(), token)).status;
        // Concurrent requests share the points that their node has taken.
        const statuses = await Promise.all(Array.from({ length: limit / 2 }, (_, n) => ask(n % 2 === 0 ? near : far)));
        expect(count(statuses, 200)).toBe(limit / 2);
        for (let n = 0; n < limit / 2 + 20; n += 1) statuses.push(await ask(n % 2 === 0 ? near : far));
        const admitted = count(statuses, 200);
        expect(count(statuses, 429)).toBe(statuses.length - admitted);
        expect(admitted).toBeLessThanOrEqual(limit);
        expect(admitted).toBeGreaterThan(limit - 2 * block);
        const taken = (await one.db.select().from(rateLimits)).filter(({ key }) => key.startsWith('calls'));
        expect(taken.map(({ points }) => points % block)).toEqual([0]);
        await Promise.all(nodes.map((node) => node.close()));
      });

      it('count locally while the database does not answer', async () => {
        const [one, other] = await openForTwo();
        await other.close();
        const node = await startServer(one, { strictRequestsPerMinute: 3 });
        await one.db.execute(sql`alter table rate_limits rename to rate_limits_away`);
        const network = aNetwork();
        const statuses = [];
        for (let n = 0; n < 5; n += 1) statuses.push((await guessCode(network, node)).status);
        expect(statuses).toEqual([404, 404, 404, 429, 429]);
        await node.close();
      });
    });

  if (name === 'PGlite')
    it('an embedded server does not write to the database to count a request', async () => {
      await guessCode(aNetwork());
      expect(await server.database.db.$count(rateLimits)).toBe(0);
    });
}

onBothDatabases(import.meta.dirname, (context) =>
  context.runSuite('request limits', './request-limits.test.ts', () => requestLimits(context)),
);
