import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';
import { readConfig } from '../../compose/config/read-config.ts';

let server: TestServer;
beforeAll(async () => {
  const { allowedHosts } = readConfig({
    PUBLIC_URL: 'https://parley.example:8443',
    ALLOWED_HOSTS: 'parley.internal, 10.0.0.5,2001:db8::5',
  });
  server = await startServer(await openMemoryDatabase(), { allowedHosts });
});
afterAll(() => server.close());

const ask = (host: string, url = '/v1/devices', headers: Record<string, string> = {}) =>
  server.send({ method: 'GET', url, headers: { host, ...headers } });

describe('a server', () => {
  it.each([
    'localhost',
    'localhost:4810',
    'parley.localhost',
    '127.0.0.1:4810',
    '127.0.0.2',
    '[::1]:4810',
    'parley.example',
    'PARLEY.example:8443',
    'parley.internal:4810',
    '10.0.0.5',
    '[2001:db8::5]:4810',
  ])('answers to the host %s', async (host) => expect((await ask(host)).status).toBe(401));

  it.each([
    'evil.example',
    'parley.example.evil.example',
    'evil.parley.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.6',
    'localhost@evil.example',
    'evil.example#localhost',
    'a b',
  ])('rejects the host %j and says how to allow it', async (host) => {
    for (const url of ['/v1/devices', '/', '/sign-in', '/openapi.json', '/nothing']) {
      const { status, body } = await ask(host, url);
      expect([status, body['code']]).toEqual([421, 'request.invalid']);
      expect(String(body['message'])).toMatch(/PUBLIC_URL and ALLOWED_HOSTS.*proxy/);
    }
  });

  it('ignores a forwarded host name', async () =>
    expect((await ask('evil.example', '/v1/devices', { 'x-forwarded-host': 'parley.example' })).status).toBe(421));

  it('answers health checks under any host name', async () =>
    expect((await ask('10.1.2.3:4810', '/healthz')).status).toBe(200));
});

it.each(['http://parley.internal', 'parley.internal:4810', 'a,,b', 'a b', 'user@host', 'host/path'])(
  'rejects ALLOWED_HOSTS=%j and suggests a valid value',
  (list) => expect(() => readConfig({ ALLOWED_HOSTS: list })).toThrow(/ALLOWED_HOSTS=parley\.internal/),
);
