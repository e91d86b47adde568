import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../db/client.ts';
import { anHonestLearner, expectDiscreetLog, type HonestLearner } from '../test-kit/honest-learner.ts';
import { requestBytes, say } from '../test-kit/raw-line.ts';
import { aPush, joinDevice, registerDevice, startServer, type TestServer } from '../test-kit/server.ts';

const CHANGES_A_MINUTE = 10_000;
const CALLS_A_MINUTE = 400;
const ARRIVE_WITHIN_MS = 600;

let server: TestServer;
let address: string;
let honest: HonestLearner;
beforeAll(async () => {
  server = await startServer(await openDatabase({ type: 'memory' }), {
    withCatalogue: true,
    logLevel: 'trace',
    limits: { calls: 1_000, changes: CHANGES_A_MINUTE },
    callsAMinute: CALLS_A_MINUTE,
    accountCallsAMinute: 50,
    arriveWithinMs: ARRIVE_WITHIN_MS,
  });
  address = await server.listen();
  honest = await anHonestLearner(server);
});
afterAll(() => server.close());

describe('a million changes of one learner', () => {
  const CHANGES_A_PUSH = 500;
  const PUSHES = 1_000_000 / CHANGES_A_PUSH;
  const AT_ONCE = 10;

  it('are refused beyond what an account may send, on each of its devices, while another learner is served', async () => {
    const flooding = await registerDevice(server);
    const second = await joinDevice(server, flooding);
    const changes = Array.from({ length: CHANGES_A_PUSH }, () => flooding.change({ table: 't', rowId: randomUUID() }));
    const payload = JSON.stringify(aPush(server, flooding.deviceId, changes));
    const countByStatus = new Map<number, number>();
    const waits = new Set<string>();
    let sent = 0;
    const flood = async (): Promise<void> => {
      while (sent < PUSHES) {
        sent += 1;
        const answer = await server.app.inject({
          method: 'POST',
          url: '/v1/sync/push',
          headers: { authorization: `Bearer ${flooding.token}`, 'content-type': 'application/json' },
          payload,
        });
        countByStatus.set(answer.statusCode, (countByStatus.get(answer.statusCode) ?? 0) + 1);
        if (answer.statusCode !== 200) {
          expect(JSON.parse(answer.payload)).toMatchObject({ code: 'request.too_many' });
          waits.add(String(answer.headers['retry-after']));
        }
      }
    };
    const flooded = Promise.all(Array.from({ length: AT_ONCE }, flood));
    const tookMs: number[] = [];
    while (sent < PUSHES) {
      const startMs = performance.now();
      await honest.isUnharmed();
      tookMs.push(performance.now() - startMs);
      await sleep(20);
    }
    await flooded;
    expect(countByStatus).toEqual(
      new Map([
        [200, CHANGES_A_MINUTE / CHANGES_A_PUSH],
        [429, PUSHES - CHANGES_A_MINUTE / CHANGES_A_PUSH],
      ]),
    );
    for (const seconds of waits) {
      expect(Number(seconds)).toBeGreaterThanOrEqual(1);
      expect(Number(seconds)).toBeLessThanOrEqual(60);
    }
    expect(tookMs.length).toBeGreaterThan(5);
    expect(tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)]).toBeLessThan(500);
    expect(Math.max(...tookMs)).toBeLessThan(3_000);
    // The limit is the account's, not the device's.
    const other = await server.post(
      '/v1/sync/push',
      aPush(server, second.deviceId, [second.change({ table: 't', rowId: randomUUID() })]),
      second.token,
    );
    expect(other).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
    expectDiscreetLog(server, [honest.device, flooding, second]);
  });
});

describe('a thousand tokens that are guessed', () => {
  const AT_ONCE = 20;
  const guess = (deviceId: string, remoteAddress: string) => {
    const authorization = `Bearer ${deviceId}.${randomBytes(32).toString('base64url')}`;
    return server.send({ method: 'GET', url: '/v1/devices', remoteAddress, headers: { authorization } });
  };
  const guessOften = async (times: number, deviceId: () => string, remoteAddress: string): Promise<number[]> => {
    const statuses: number[] = [];
    while (statuses.length < times) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => guess(deviceId(), remoteAddress)));
      statuses.push(...answers.map(({ status }) => status));
    }
    return statuses;
  };

  const expectFewRead = (statuses: readonly number[]): void => {
    expect(statuses.slice(0, CALLS_A_MINUTE).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(CALLS_A_MINUTE).every((status) => status === 429)).toBe(true);
  };

  it('for devices that nobody has open nothing, and are refused unread when they are too many', async () => {
    expectFewRead(await guessOften(1_000, randomUUID, '198.51.100.1'));
    await honest.isUnharmed();
    expectDiscreetLog(server, [honest.device]);
  });

  it('for a device whose id is known open nothing, and are refused unread when they are too many', async () => {
    const known = await registerDevice(server);
    expectFewRead(await guessOften(1_000, () => known.deviceId, '198.51.100.2'));
    await honest.isUnharmed();
    expectDiscreetLog(server, [honest.device, known]);
  });
});

describe('a request that is none', () => {
  const invalid = { status: 400, body: { code: 'request.invalid' } };
  it.each([
    ['one header of a megabyte', { 'x-flood': 'x'.repeat(1_048_576) }],
    ['ten thousand headers', Object.fromEntries(Array.from({ length: 10_000 }, (_, nr) => [`x-${nr}`, 'x']))],
  ])('with %s is refused', async (_what, headers) => {
    const answer = await say(address, requestBytes({ method: 'GET', path: '/v1/devices', headers }));
    expect(answer).toMatchObject({ status: 413, body: { code: 'request.too_large' } });
  });

  it.each([
    ['no HTTP at all', 'hello, is anybody there?\r\n\r\n'],
    ['an unknown method', 'BREW /v1/sync/push HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header with a line break', 'GET /v1/devices HTTP/1.1\r\nhost: x\r\nx: a\nb\r\n\r\n'],
    [
      'two ways to say how long it is',
      'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length that is none', 'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ])('for it is %s is refused with a code', async (_what, bytes) => {
    expect(await say(address, bytes)).toMatchObject(invalid);
  });

  it.each([
    ['whose body never comes', requestBytes({ path: '/v1/account/sign-in', headers: { 'content-length': '1000' } })],
    ['whose headers never end', 'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\nx-slow:'],
  ])('%s is given up', async (_what, bytes) => {
    const answer = await say(address, bytes);
    expect(answer).toMatchObject({ status: 503, body: { code: 'sync.offline' } });
    expect(answer.tookMs).toBeLessThan(4 * ARRIVE_WITHIN_MS);
  });

  it('that comes letter by letter is given up, however many come at once', async () => {
    const head = requestBytes({ path: '/v1/account/whose-link', headers: { 'content-length': '1000' } });
    const slow = Array.from({ length: 50 }, () =>
      say(address, head, {
        more(socket) {
          const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 50);
        },
      }),
    );
    await honest.isUnharmed();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(503);
    expect(server.log()).toContain('refused before it was a request');
  });
});

describe('an address', () => {
  const honestHeaders = () => ({ authorization: `Bearer ${honest.device.token}` });
  const join = JSON.stringify({ deviceId: randomUUID(), name: 'x', platform: 'other', code: 'ABCD-EFGH' });
  it.each([
    '/v1/sync/../devices/join',
    '/v1/sync/%2e%2e/devices/join',
    '/v1/sync/..%2fdevices%2fjoin',
    '/v1/sync/x/../../devices/join',
    '/v1/sync//../../devices/join',
    '/v1/sync/\\..\\devices\\join',
    '/v1//devices/join',
    '/v1/%64evices/join',
    '/v1/sync/../..',
    '/v1/sync/../../healthz',
    '//parley.test/v1/devices/join',
    'http://parley.test/v1/devices/join',
    '/v1/sync/push%00',
    '/v1/sync/push;x=1',
    '//[',
    '*',
  ])('that leads elsewhere, %s, leads nowhere', async (path) => {
    const answer = await say(address, requestBytes({ path, headers: honestHeaders(), body: join }));
    expect(answer).toMatchObject({ status: 404, body: { code: 'request.invalid' } });
  });

  it.each(['/v1/sync/%', '/v1/sync/%ff', '/%c0%ae%c0%ae/x'])('that is no text, %s, is refused', async (path) => {
    expect(await say(address, requestBytes({ path }))).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  });

  it.each(['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'GET'])(
    'takes no %s where it takes a POST',
    async (method) => {
      const headers = honestHeaders();
      expect(await say(address, requestBytes({ method, path: '/v1/sync/push', headers }))).toMatchObject({
        status: 404,
        body: { code: 'request.invalid' },
      });
    },
  );

  it('gives no way around the limit on link codes', async () => {
    const paths = ['/v1/devices/join', '/v1/devices/../devices/join', '/v1/sync/../devices/join', '/v1/devices/join/'];
    const answers = [];
    for (let attempt = 0; attempt < 240; attempt += 1)
      answers.push(await say(address, requestBytes({ path: paths[attempt % paths.length] ?? '', body: join })));
    const looked = answers.filter(({ body }) => body['code'] === 'link.code_invalid');
    expect(looked.length).toBeLessThanOrEqual(50);
    expect(answers.filter(({ status }) => status === 429)).not.toEqual([]);
    await honest.isUnharmed();
    expectDiscreetLog(server, [honest.device]);
  });
});
