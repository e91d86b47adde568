import { mkdtempSync, rmSync } from 'node:fs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_PUSH_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../db/client.ts';
import { registerDevice, startServer, type TestServer } from '../test-kit/server.ts';
import { readConfig } from './config.ts';
import { answerError } from './error-policy.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await openDatabase({ type: 'memory' }));
});
afterAll(() => server.close());

describe('the server', () => {
  it('says that it is well, and what it can do', async () => {
    expect(await server.send({ method: 'GET', url: '/healthz' })).toEqual({ status: 200, body: { status: 'ok' } });
    const { body } = await server.send({ method: 'GET', url: '/openapi.json' });
    expect(Object.keys(body['paths'] as object)).toEqual(
      expect.arrayContaining(['/v1/devices/register', '/v1/devices/join', '/v1/sync/push', '/v1/sync/pull']),
    );
  });

  it('says that it is not well when its database does not answer', async () => {
    const database = await openDatabase({ type: 'memory' });
    const lonely = await startServer(database);
    await database.close();
    expect(await lonely.send({ method: 'GET', url: '/healthz' })).toMatchObject({ status: 503 });
    await lonely.app.close();
  });

  const malformed: [what: string, payload: string | Buffer, status: number][] = [
    ['no JSON', 'hello', 400],
    ['half of a JSON', '{"deviceId":', 400],
    ['an empty body', '', 400],
    ['another shape', '{"deviceId":5}', 400],
    ['more than was agreed', '{"deviceId":"x","isAdmin":true}', 400],
    ['a prototype', '{"__proto__":{"isAdmin":true}}', 400],
    ['JSON nested a hundred thousand deep', '['.repeat(100_000) + ']'.repeat(100_000), 400],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00]), 400],
    ['more than the limit', `"${'x'.repeat(MAX_PUSH_BYTES + 128 * 1024)}"`, 413],
  ];
  it.each(malformed)('answers %s with a code, and stays up', async (_what, payload, status) => {
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

  it('answers an unknown address with a code', async () => {
    expect(await server.send({ method: 'GET', url: '/admin' })).toMatchObject({ status: 404 });
  });

  it('names the field that is wrong, and never its value', async () => {
    const device = await registerDevice(server);
    const wrong = { ...device.change({ table: 'users', rowId: device.userId }), at: 'a secret thing' };
    const answer = await server.post(
      '/v1/sync/push',
      { protocol: 1, deviceId: device.deviceId, mutations: [wrong] },
      device.token,
    );
    expect(answer).toMatchObject({ status: 400, body: { data: { field: expect.stringContaining('mutations.0.at') } } });
    expect(JSON.stringify(answer)).not.toContain('a secret thing');
  });
});

describe('the error policy', () => {
  it('tells nothing of a bug but a number to quote', () => {
    const answer = answerError(new Error('password=hunter2 at db.ts:12'), 'req-7');
    expect(answer).toEqual({
      status: 500,
      isBug: true,
      body: { code: 'internal', message: 'internal', data: { detail: 'req-7' } },
    });
  });
});

describe('the configuration', () => {
  it('works with nothing set', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 4810, databaseUrl: null, isProduction: false });
  });

  it.each([
    ['production without PostgreSQL', { NODE_ENV: 'production' }, 'DATABASE_URL'],
    ['a database that is not PostgreSQL', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    ['a port that is no port', { PORT: '70000' }, 'PORT'],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('refuses %s, naming the variable', (_what, environment, variable) => {
    expect(() => readConfig(environment)).toThrow(variable);
  });
});

describe('the process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-server-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = async (environment: Record<string, string>) => {
    const child = fork(fileURLToPath(new URL('../main.ts', import.meta.url)), {
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
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

  it('keeps what it acknowledged when it is killed, and stops in good order when asked', async () => {
    const first = await start({});
    const [{ address }] = (await once(first.child, 'message')) as [{ address: string }];
    expect(await register(address)).toBe(200);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start({});
    const [ready] = (await once(second.child, 'message')) as [{ address: string }];
    expect(await register(ready.address)).toBe(403);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it('does not start in production on the embedded database', async () => {
    const { child, said } = await start({ NODE_ENV: 'production' });
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(said.join('')).toContain('DATABASE_URL');
  });
});
