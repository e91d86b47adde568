import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { anHonestLearner, expectNoSecretsInLog, type HonestLearner } from '../../../test-kit/sync/honest-learner.ts';
import { requestBytes, sendRaw } from '../../../test-kit/raw-connection.ts';
import { aPushRequest, joinDevice, registerDevice, startServer, type TestServer } from '../../../test-kit/server.ts';

const CHANGES_A_MINUTE = 10_000;
const CALLS_A_MINUTE = 400;
const ARRIVE_WITHIN_MS = 600;

let server: TestServer;
let address: string;
let honest: HonestLearner;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), {
    withCatalogue: true,
    logLevel: 'trace',
    accountLimits: { requests: 1_000, changes: CHANGES_A_MINUTE },
    requestsPerMinute: CALLS_A_MINUTE,
    strictRequestsPerMinute: 50,
    requestTimeoutMs: ARRIVE_WITHIN_MS,
  });
  address = await server.listen();
  honest = await anHonestLearner(server);
});
afterAll(() => server.close());

describe('a million changes by one learner', () => {
  const CHANGES_A_PUSH = 500;
  const PUSHES = 1_000_000 / CHANGES_A_PUSH;
  const AT_ONCE = 10;

  it('are limited per account while other learners are served', { tags: ['slow'] }, async () => {
    const flooding = await registerDevice(server);
    const second = await joinDevice(server, flooding);
    const changes = Array.from({ length: CHANGES_A_PUSH }, () => flooding.change({ table: 't', rowId: randomUUID() }));
    const payload = JSON.stringify(aPushRequest(server, flooding.deviceId, changes));
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
      await honest.expectUnharmed();
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
    // The limit belongs to the account, not to the device.
    const other = await server.post(
      '/v1/sync/push',
      aPushRequest(server, second.deviceId, [second.change({ table: 't', rowId: randomUUID() })]),
      second.token,
    );
    expect(other).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
    expectNoSecretsInLog(server, [honest.device, flooding, second]);
  });
});

describe('a thousand guessed tokens', () => {
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

  it('for unknown devices are rejected, then rate limited before the body is read', async () => {
    expectFewRead(await guessOften(1_000, randomUUID, '198.51.100.1'));
    await honest.expectUnharmed();
    expectNoSecretsInLog(server, [honest.device]);
  });

  it('for a known device are rejected, then rate limited before the body is read', async () => {
    const known = await registerDevice(server);
    expectFewRead(await guessOften(1_000, () => known.deviceId, '198.51.100.2'));
    await honest.expectUnharmed();
    expectNoSecretsInLog(server, [honest.device, known]);
  });
});

describe('a malformed request', () => {
  const invalid = { status: 400, body: { code: 'request.invalid' } };
  it.each([
    ['a header of one megabyte', { 'x-flood': 'x'.repeat(1_048_576) }],
    ['ten thousand headers', Object.fromEntries(Array.from({ length: 10_000 }, (_, nr) => [`x-${nr}`, 'x']))],
  ])('with %s is rejected', async (_what, headers) => {
    const answer = await sendRaw(address, requestBytes({ method: 'GET', path: '/v1/devices', headers }));
    expect(answer).toMatchObject({ status: 413, body: { code: 'request.too_large' } });
  });

  it.each([
    ['text that is not HTTP', 'hello, is this HTTP?\r\n\r\n'],
    ['an unknown method', 'BREW /v1/sync/push HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header with a line break', 'GET /v1/devices HTTP/1.1\r\nhost: x\r\nx: a\nb\r\n\r\n'],
    [
      'both a content-length and chunked encoding',
      'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an invalid content-length', 'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ])('whose target is %s is rejected with an error code', async (_what, bytes) => {
    expect(await sendRaw(address, bytes)).toMatchObject(invalid);
  });

  it.each([
    [
      'a request whose body never arrives',
      requestBytes({ path: '/v1/account/sign-in', headers: { 'content-length': '1000' } }),
    ],
    ['a request whose headers never end', 'POST /v1/sync/push HTTP/1.1\r\nhost: x\r\nx-slow:'],
  ])('%s is closed', async (_what, bytes) => {
    const answer = await sendRaw(address, bytes);
    expect(answer).toMatchObject({ status: 503, body: { code: 'sync.offline' } });
    expect(answer.tookMs).toBeLessThan(4 * ARRIVE_WITHIN_MS);
  });

  it('that arrives byte by byte is closed, even with many at once', async () => {
    const head = requestBytes({ path: '/v1/account/whose-link', headers: { 'content-length': '1000' } });
    const slow = Array.from({ length: 50 }, () =>
      sendRaw(address, head, {
        more(socket) {
          const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 50);
        },
      }),
    );
    await honest.expectUnharmed();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(503);
    expect(server.log()).toContain('malformed_request_rejected');
  });
});

describe('a path', () => {
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
  ])('with traversal (%s) reaches no route', async (path) => {
    const answer = await sendRaw(address, requestBytes({ path, headers: honestHeaders(), body: join }));
    expect(answer).toMatchObject({ status: 404, body: { code: 'request.invalid' } });
  });

  it.each(['/v1/sync/%', '/v1/sync/%ff', '/%c0%ae%c0%ae/x'])('with invalid encoding (%s) is rejected', async (path) => {
    expect(await sendRaw(address, requestBytes({ path }))).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  });

  it.each(['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'GET'])(
    'does not accept %s in place of POST',
    async (method) => {
      const headers = honestHeaders();
      expect(await sendRaw(address, requestBytes({ method, path: '/v1/sync/push', headers }))).toMatchObject({
        status: 404,
        body: { code: 'request.invalid' },
      });
    },
  );

  it('cannot bypass the limit on link codes', async () => {
    const paths = ['/v1/devices/join', '/v1/devices/../devices/join', '/v1/sync/../devices/join', '/v1/devices/join/'];
    const answers = [];
    for (let attempt = 0; attempt < 240; attempt += 1)
      answers.push(await sendRaw(address, requestBytes({ path: paths[attempt % paths.length] ?? '', body: join })));
    const looked = answers.filter(({ body }) => body['code'] === 'link.code_invalid');
    expect(looked.length).toBeLessThanOrEqual(50);
    expect(answers.filter(({ status }) => status === 429)).not.toEqual([]);
    await honest.expectUnharmed();
    expectNoSecretsInLog(server, [honest.device]);
  });
});
