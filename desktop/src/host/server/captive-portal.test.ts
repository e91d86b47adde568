/**
 * Networks that answer requests with a page of their own: hotels until a guest signs in, and filters that block an
 * address.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';

async function openHostBehind(answer: { status: number; type: string | null; body?: string }) {
  const network = createServer((_request, response) => {
    const { status, type, body = '<h1>Welcome to our hotel</h1>' } = answer;
    response.writeHead(status, type === null ? {} : { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  const { host, ask } = await openHost({ serverUrl: `http://127.0.0.1:${(network.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await host.close();
    network.closeAllConnections();
    network.close();
  });
  return ask;
}

it.each([
  [200, 'text/html; charset=utf-8'],
  [200, 'Text/HTML'],
  [200, 'application/xhtml+xml'],
  [200, 'text/plain'],
  [200, null],
  [400, 'text/html'],
  [401, 'text/html'],
  [401, 'text/plain'],
  [403, 'text/html'],
  [403, null],
  [404, 'text/html'],
  [511, 'text/html'],
])('a page with status %s and type %s is not the server’s answer, so the device is offline', async (status, type) => {
  const ask = await openHostBehind({ status, type });
  await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code: 'sync.offline' });
  await expect(ask.billing.plans()).rejects.toMatchObject({ code: 'sync.offline' });
  expect(await ask.sync.run()).toMatchObject({ state: 'offline' });
  expect(await ask.account.state()).toMatchObject({ isSignedOut: false });
});

it.each([200, 403, 404, 511])('names a page with status %s as the obstacle', async (status) => {
  const ask = await openHostBehind({ status, type: 'text/html' });
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', obstacle: 'network_page' });
});

it('does not mistake the error page of the server’s own proxy for a network’s page', async () => {
  const ask = await openHostBehind({ status: 502, type: 'text/html' });
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', obstacle: null });
});

it.each([
  [413, 'request.too_large'],
  [429, 'request.too_many'],
])('the page of a proxy with status %s says that it limits requests', async (status, code) => {
  const ask = await openHostBehind({ status, type: 'text/html' });
  await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code });
});

it.each([
  [401, 'auth.device_revoked', 'auth.device_revoked'],
  // A newer server may have codes that this app does not know.
  [401, 'auth.expired', 'auth.required'],
  [403, 'auth.blocked', 'auth.forbidden'],
])('status %s with the code %s is an answer of the server', async (status, code, shown) => {
  const body = JSON.stringify({ code, message: code });
  const ask = await openHostBehind({ status, type: 'application/json; charset=utf-8', body });
  await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code: shown });
  expect(await ask.sync.run()).toMatchObject({ state: 'signed_out' });
});
