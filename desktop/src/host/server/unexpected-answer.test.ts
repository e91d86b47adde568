/** A program at the server's address that answers every request with JSON which is not the server's. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenHost, openHost, startPractice } from '../test-kit/open-host.ts';

async function openHostAt(answer: unknown): Promise<OpenHost['ask']> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { host, ask } = await openHost({ serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  return ask;
}

it.each([null, {}, [], 'hello', 5, { coach: 5 }, { coach: { name: 'Coach' } }, { isSupported: true }])(
  'the answer %j breaks no screen and no practice',
  async (answer) => {
    const ask = await openHostAt(answer);
    await startPractice(ask, 'text');
    await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code: 'internal' });
    expect(await ask.sync.run()).toMatchObject({ state: 'backing_off' });
    // By now, responses of the server may have been stored.
    expect(await ask.today.overview()).toMatchObject({ unfinished: expect.anything() });
    await expect(ask.courses.list()).resolves.toBeDefined();
    expect(await ask.coach.offer()).toMatchObject({ coach: null, transcriber: null });
    expect(await ask.account.state()).toMatchObject({ known: null, isSignedOut: false });
  },
);

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ms-msdt:/id', 'data:text/html,hello'])(
  'does not accept %s as the page of the payment provider',
  async (url) => {
    const ask = await openHostAt({ url });
    await expect(ask.billing.portal()).rejects.toMatchObject({ code: 'internal' });
  },
);
