/** A server that sends the app elsewhere: what the learner said and the token go to the chosen server only. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openHost, startPractice } from '../test-kit/open-host.ts';

async function startOn(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([301, 302, 303, 307, 308])('a redirect with status %s is not followed', async (status) => {
  const received: string[] = [];
  const elsewhere = await startOn((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const serverUrl = await startOn((request, response) => {
    const headers = { location: `${elsewhere}${request.url}`, 'content-type': 'application/json' };
    response.writeHead(status, headers).end('{}');
  });
  const { host, ask } = await openHost({ serverUrl });
  onTestFinished(() => host.close());
  await startPractice(ask, 'text');
  await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code: 'sync.offline' });
  await expect(ask.billing.plans()).rejects.toMatchObject({ code: 'sync.offline' });
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', leadsTo: elsewhere });
  expect(received).toEqual([]);
});

it.each([
  ['a page of the server itself', '/login'],
  ['something that is not an address', 'http://'],
  ['a program', 'file:///etc/passwd'],
])('a redirect to %s leads to no other server', async (_what, location) => {
  const serverUrl = await startOn((_request, response) => void response.writeHead(302, { location }).end());
  const { host, ask } = await openHost({ serverUrl });
  onTestFinished(() => host.close());
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', leadsTo: null });
});

it('the new address is forgotten once the server no longer redirects', async () => {
  let status = 301;
  const serverUrl = await startOn((_request, response) => {
    response.writeHead(status, { location: 'https://moved.example/' }).end();
  });
  const { host, ask } = await openHost({ serverUrl });
  onTestFinished(() => host.close());
  expect(await ask.sync.run()).toMatchObject({ leadsTo: 'https://moved.example' });
  status = 503;
  expect(await ask.sync.run()).toMatchObject({ leadsTo: null });
});
