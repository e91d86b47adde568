import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { MAX_PUSH_BYTES, type Mutation } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../db/client.ts';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { tables } from '../db/tables.ts';
import { installStarterCatalogue } from '../catalogue/index.ts';
import { catalogueIds, pushSession } from '../../test-kit/sync/rows.ts';
import {
  aPushRequest,
  registerDevice,
  createTestDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../test-kit/server.ts';
import { requestBytes } from '../../test-kit/raw-connection.ts';
import { createServerFolder } from '../../test-kit/server-folder.ts';
import { buildApp } from './build-app.ts';
import type { Payments } from '../ports/payments/index.ts';
import type { Config } from './config/config.ts';
import { readConfig } from './config/read-config.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase());
});
afterAll(() => server.close());

describe('the server', () => {
  it('states one id, and learns it again from its database', async () => {
    const { body } = await server.send({ method: 'GET', url: '/v1/server' });
    expect(body['id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const database = await openMemoryDatabase();
    const ids: unknown[] = [];
    for (let start = 0; start < 2; start += 1) {
      const app = await buildApp({ database });
      ids.push((await app.inject({ method: 'GET', url: '/v1/server' })).json().id);
      await app.close();
    }
    await database.close();
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(body['id']);
  });

  it('finishes mirroring the price list before it has closed', async () => {
    const database = await openMemoryDatabase();
    const asked = Promise.withResolvers<void>();
    const listed = Promise.withResolvers<{ products: []; prices: [] }>();
    const payments = { readCatalogue: () => (asked.resolve(), listed.promise) } as Partial<Payments> as Payments;
    const app = await buildApp({ database, payments });
    await app.listen({ port: 0 });
    await asked.promise;
    let isClosed = false;
    const closed = app.close().then(() => (isClosed = true));
    await setTimeout(300);
    expect(isClosed).toBe(false);
    listed.resolve({ products: [], prices: [] });
    await closed;
    await database.close();
  });

  it('reports its health and its API', async () => {
    expect(await server.send({ method: 'GET', url: '/healthz' })).toEqual({ status: 200, body: { status: 'ok' } });
    const { body } = await server.send({ method: 'GET', url: '/openapi.json' });
    expect(Object.keys(body['paths'] as object)).toEqual(
      expect.arrayContaining(['/v1/devices/register', '/v1/devices/join', '/v1/sync/push', '/v1/sync/stream']),
    );
  });

  it('serves a precompressed API description and honours its ETag', async () => {
    const ask = (headers: Record<string, string>) =>
      server.app.inject({ method: 'GET', url: '/openapi.json', headers });
    const plain = await ask({ 'accept-encoding': 'gzip;q=0, zstd' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await ask({ 'accept-encoding': 'zstd, gzip' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringMatching(/^application\/json/),
    });
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload);
    const again = await ask({ 'if-none-match': String(plain.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('reports that it is unhealthy when its database does not answer', async () => {
    const database = await openMemoryDatabase();
    const lonely = await startServer(database);
    await database.close();
    expect(await lonely.send({ method: 'GET', url: '/healthz' })).toMatchObject({ status: 503 });
    await lonely.app.close();
  });

  const malformed: [what: string, payload: string | Buffer, status: number][] = [
    ['invalid JSON', 'hello', 400],
    ['truncated JSON', '{"deviceId":', 400],
    ['an empty body', '', 400],
    ['the wrong type', '{"deviceId":5}', 400],
    ['an unknown field', '{"deviceId":"x","isAdmin":true}', 400],
    ['prototype pollution', '{"__proto__":{"isAdmin":true}}', 400],
    ['JSON nested 8,000 levels deep', '['.repeat(8_000) + ']'.repeat(8_000), 400],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x00]), 400],
    ['a body over the limit', `"${'x'.repeat(MAX_PUSH_BYTES - 1)}"`, 413],
  ];
  it.each(malformed)('answers %s with an error code and keeps running', async (_what, payload, status) => {
    const answer = await server.send({
      method: 'POST',
      url: '/v1/devices/register',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(answer).toMatchObject({
      status,
      body: { code: status === 413 ? 'request.too_large' : 'request.invalid' },
    });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect((await server.send({ method: 'GET', url: '/healthz' })).status).toBe(200);
  });

  it('answers an unknown path with an error code', async () => {
    expect(await server.send({ method: 'GET', url: '/nowhere' })).toMatchObject({ status: 404 });
  });

  it('names the invalid field but never its value', async () => {
    const device = await registerDevice(server);
    const wrong = { ...device.change({ table: 'users', rowId: device.userId }), at: 'a secret thing' };
    const answer = await server.post('/v1/sync/push', aPushRequest(server, device.deviceId, [wrong]), device.token);
    expect(answer).toMatchObject({ status: 400, body: { data: { field: expect.stringContaining('mutations.0.at') } } });
    expect(JSON.stringify(answer)).not.toContain('a secret thing');
  });
});

describe('an unexpected failure', () => {
  const secret = 'what the learner said in confidence';
  let failing: TestServer;
  let device: TestDevice;
  let change: Mutation;
  const push = () => failing.post('/v1/sync/push', aPushRequest(failing, device.deviceId, [change]), device.token);
  const rename = (from: string, to: string) =>
    failing.database.db.execute(sql`alter table users rename column ${sql.identifier(from)} to ${sql.identifier(to)}`);
  beforeAll(async () => {
    failing = await startServer(await openMemoryDatabase(), { logLevel: 'trace' });
    device = await registerDevice(failing);
    change = device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: secret } });
    await rename('job_title', 'elsewhere');
  });
  afterAll(() => failing.close());

  it('returns only a request id, which the log contains too', async () => {
    const { status, body } = await push();
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal', message: 'internal', data: { detail: expect.any(String) } });
    expect(Object.keys(body['data'] as object)).toEqual(['detail']);
    expect(JSON.stringify(body)).not.toMatch(/select|job_title|elsewhere|column|node_modules/i);
    expect(failing.log()).toContain(`"requestId":"${(body['data'] as { detail: string }).detail}"`);
    expect(failing.log()).toContain('job_title');
  });

  it('keeps learners’ words and tokens out of the log', async () => {
    await rename('elsewhere', 'job_title');
    await failing.database.db.execute(sql`alter table users add constraint none_left check (job_title is null)`);
    await failing.database.db
      .update(tables.users)
      .set({ jobTitle: secret })
      .catch((err: unknown) => failing.app.log.error({ err }, 'constraint_error_quotes_row'));
    await failing.database.db.execute(sql`alter table users drop constraint none_left`);
    expect(failing.log()).toContain('23514');
    await rename('job_title', 'elsewhere');
    await push();
    await rename('elsewhere', 'job_title');
    expect(failing.log().match(/unhandled_error/g)?.length).toBeGreaterThanOrEqual(1);
    expect(failing.log()).not.toContain(secret);
    expect(failing.log()).not.toContain(device.token.split('.')[1]);
  });

  it('rolls back the push, so a retry succeeds after recovery', async () => {
    expect(await push()).toMatchObject({ status: 200, body: { lastSeq: 1, outcomes: [{ status: 'applied' }] } });
    expect((await device.pull()).map(({ fields }) => fields['jobTitle'])).toEqual([secret]);
  });
});

it('does not report as a failure that a caller hung up before a long answer', async () => {
  const lines: string[] = [];
  const app = await buildApp({
    database: await openMemoryDatabase(),
    logLevel: 'info',
    logStream: { write: (line: string) => void lines.push(line) },
  });
  onTestFinished(() => app.close());
  const asked = Promise.withResolvers<void>();
  app.post('/late', { config: { caller: 'anyone' } }, async (_request, reply) => {
    asked.resolve();
    await once(reply.raw, 'close');
    return { text: 'long '.repeat(100_000) };
  });
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), hostname);
  const headers = { host: 'localhost', 'accept-encoding': 'gzip' };
  socket.write(requestBytes({ path: '/late', headers, body: '{}' }));
  await asked.promise;
  socket.destroy();
  await expect.poll(() => lines.join('')).toContain('hung_up');
  expect(lines.join('')).not.toContain('unhandled_error');
});

describe('a restart on the same data folder', () => {
  it('keeps accounts, rows, cursors and the catalogue without duplicates', { tags: ['slow'] }, async () => {
    const { dir, remove } = await createServerFolder();
    try {
      const first = await startServer(await openDatabase({ type: 'folder', dir }));
      await installStarterCatalogue({ db: first.database.db, now: first.now });
      const device = await registerDevice(first);
      const { change, pushed } = await pushSession(first, device, await catalogueIds(device), 'kept');
      const before = await device.pull();
      await first.close();

      const second = await startServer(await openDatabase({ type: 'folder', dir }));
      expect(await installStarterCatalogue({ db: second.database.db, now: second.now })).toBe(0);
      const again = createTestDevice(second, device);
      expect(await again.pull()).toEqual(before);
      const { userVersion } = pushed;
      const repeated = await again.push(change);
      expect(repeated).toMatchObject({
        outcomes: [{ id: change.id, status: 'duplicate' }],
        lastSeq: pushed.lastSeq,
        userVersion,
        previousVersion: userVersion,
      });
      await second.close();
    } finally {
      await remove();
    }
  });
});

describe('the configuration', () => {
  it('works with an empty environment', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 4810, databaseUrl: null, isProduction: false });
  });

  it('grants access to all in development, and to approved learners in production', () => {
    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://x',
      SECRET: '3f9c1d7ab2e84056c1f09d7e5a6b8c24',
      PUBLIC_URL: 'https://parley.example',
      MAIL: 'files',
    };
    expect(readConfig({})).toMatchObject({ access: 'open', adminEmails: [] });
    expect(readConfig(production)).toMatchObject({ access: 'granted' });
    expect(readConfig({ ACCESS: 'granted', ADMIN_EMAILS: ' Ana@Example.com ,bo@example.com' })).toMatchObject({
      access: 'granted',
      adminEmails: ['ana@example.com', 'bo@example.com'],
    });
  });

  it.each([
    ['an unknown ACCESS value', { ACCESS: 'maybe' }, 'ACCESS'],
    ['an invalid admin address', { ADMIN_EMAILS: 'ana' }, 'ADMIN_EMAILS'],
    ['production without PostgreSQL', { NODE_ENV: 'production' }, 'DATABASE_URL'],
    ['a database that is not PostgreSQL', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    ['an invalid port', { PORT: '70000' }, 'PORT'],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('rejects %s and names the variable', (_what, environment, variable) => {
    expect(() => readConfig(environment)).toThrow(variable);
  });

  it.each<[string, Config['trustProxy']]>([
    ['', false],
    ['false', false],
    ['0', false],
    ['1', 1],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['192.0.2.7, fd00::/8,::1', ['192.0.2.7', 'fd00::/8', '::1']],
  ])('parses the trusted proxies %j', (said, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: said }).trustProxy).toEqual(trustProxy);
  });

  it.each([
    'true',
    'yes',
    '-1',
    '1.5',
    '999',
    'balancer',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/8,',
    '10.0.0/8',
    '::1/x',
  ])('rejects TRUST_PROXY=%j and suggests valid values', (said) =>
    expect(() => readConfig({ TRUST_PROXY: said })).toThrow(/TRUST_PROXY=1 .*TRUST_PROXY=10\.0\.0\.0\/8/),
  );
});

describe('behind a load balancer that appends the client address', () => {
  const statusesOf = async (trustProxy: Config['trustProxy'], forwarded: (n: number) => string) => {
    const strict = await startServer(server.database, { strictRequestsPerMinute: 3, trustProxy });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const headers = { 'x-forwarded-for': forwarded(n) };
      const payload = { ...JOINING, code: 'ABCD-EFGH' };
      statuses.push((await strict.send({ method: 'POST', url: '/v1/devices/join', headers, payload })).status);
    }
    await strict.app.close();
    return statuses;
  };
  const JOINING = { deviceId: '0198f7a0-0000-7000-8000-000000000003', name: 'Phone', platform: 'other' };
  const trusted: [how: string, trustProxy: Config['trustProxy']][] = [
    ['a number of hops', 1],
    ['networks', ['127.0.0.0/8']],
  ];

  it.each(trusted)('with %s, counts the address that the balancer appended', async (_how, trustProxy) => {
    expect(await statusesOf(trustProxy, (n) => `198.51.100.${n}, 203.0.113.9`)).toEqual([404, 404, 404, 429, 429]);
    expect(await statusesOf(trustProxy, (n) => `203.0.113.${n}`)).toEqual([404, 404, 404, 404, 404]);
  });

  it('ignores forwarded addresses when no proxy is trusted', async () => {
    for (const trustProxy of [false, ['10.0.0.0/8']] as const)
      expect(await statusesOf(trustProxy === false ? false : [...trustProxy], (n) => `203.0.113.${n}`)).toEqual([
        404, 404, 404, 429, 429,
      ]);
  });

  it('counts the client address behind two balancers', async () => {
    expect(await statusesOf(2, (n) => `198.51.100.${n}, 203.0.113.9, 10.0.0.1`)).toEqual([404, 404, 404, 429, 429]);
    expect(await statusesOf(2, (n) => `203.0.113.${n}, 10.0.0.1`)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('the server process', () => {
  /** Each attempt has a folder of its own, because one that timed out leaves its rows, and perhaps a server, behind. */
  const openFolder = async (): Promise<string> => {
    const folder = await createServerFolder();
    onTestFinished(folder.remove);
    return folder.dir;
  };
  const start = (dir: string, environment: Record<string, string> = {}) => {
    const child = fork(fileURLToPath(new URL('../main.ts', import.meta.url)), {
      env: { ...process.env, PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'silent', ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: string[] = [];
    child.stderr?.on('data', (chunk) => said.push(String(chunk)));
    return { child, said };
  };
  const registering = { deviceId: '0198f7a0-0000-7000-8000-000000000001', name: 'Laptop', platform: 'linux' };
  const register = async (address: string): Promise<number> => {
    const response = await fetch(`${address}/v1/devices/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...registering, userId: '0198f7a0-0000-7000-8000-000000000002' }),
    });
    return response.status;
  };

  // Creating the folder, if none is kept from an earlier run, and the two starts take half a minute, and much longer
  // while other tests run.
  it(
    'keeps acknowledged data after a kill and shuts down cleanly on request',
    { tags: ['slow'], timeout: 240_000 },
    async () => {
      const dir = await openFolder();
      const first = start(dir);
      const [{ address }] = (await once(first.child, 'message')) as [{ address: string }];
      expect(await register(address)).toBe(200);
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');

      const second = start(dir);
      const [ready] = (await once(second.child, 'message')) as [{ address: string }];
      expect(await register(ready.address)).toBe(403);
      // A parent process can ask this way on every system; Windows has no signals.
      second.child.disconnect();
      expect(await once(second.child, 'exit')).toEqual([0, null]);
    },
  );

  it('refuses to start in production on the embedded database', async () => {
    const { child, said } = start(await openFolder(), { NODE_ENV: 'production' });
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(said.join('')).toContain('DATABASE_URL');
  });
});
