import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';

const STRICT = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const DIRECTIVES = [
  "default-src 'none'",
  expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/]{43}='$/),
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const responses: [what: string, request: { method: 'GET' | 'POST'; url: string; host?: string }, status: number][] = [
  ['a page', { method: 'GET', url: '/sign-in' }, 200],
  ['a rejected form', { method: 'POST', url: '/sign-in' }, 403],
  ['an API response', { method: 'GET', url: '/v1/server' }, 200],
  ['an API error', { method: 'GET', url: '/v1/devices' }, 401],
  ['an unknown path', { method: 'GET', url: '/nothing' }, 404],
  ['an unknown host', { method: 'GET', url: '/sign-in', host: 'evil.example' }, 421],
  ['a health check', { method: 'GET', url: '/healthz' }, 200],
];

describe.each([
  ['over HTTPS', true, 'max-age=31536000'],
  ['over plain HTTP', false, undefined],
])('a server %s', (_how, hasSecureCookies, hsts) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await openMemoryDatabase(), { account: { hasSecureCookies } });
  });
  afterAll(() => server.close());

  it.each(responses)('sends every security header with %s', async (_what, { method, url, host }, status) => {
    const { statusCode, headers } = await server.app.inject({ method, url, headers: { host: host ?? 'localhost' } });
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject(STRICT);
    expect(String(headers['content-security-policy']).split(';')).toEqual(DIRECTIVES);
    expect(headers['strict-transport-security']).toBe(hsts);
  });
});

it('limits requests without losing the security headers', async () => {
  const server = await startServer(await openMemoryDatabase(), { requestsPerMinute: 1 });
  await server.app.inject({ method: 'GET', url: '/sign-in' });
  const { statusCode, headers } = await server.app.inject({ method: 'GET', url: '/sign-in' });
  expect(statusCode).toBe(429);
  expect(headers).toMatchObject(STRICT);
  await server.close();
});

it('serves the typefaces that the style of a page loads', async () => {
  const server = await startServer(await openMemoryDatabase());
  const { payload } = await server.app.inject({ method: 'GET', url: '/sign-in' });
  const typefaces = [...payload.matchAll(/@font-face \{[^}]*url\('([^']+)'\)/g)];
  expect(typefaces).toHaveLength(3);
  for (const [, url = ''] of typefaces) {
    const { statusCode, headers } = await server.app.inject({ method: 'GET', url });
    expect([statusCode, headers['content-type']]).toEqual([200, 'font/woff2']);
  }
  await server.close();
});
