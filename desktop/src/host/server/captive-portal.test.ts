/** A network that answers every request with its own page, as hotels do until a guest signs in. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHost, removeDataFolders } from '../test-kit/open-host.ts';

let portal: Server;
beforeEach(async () => {
  portal = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Welcome to our hotel</h1>');
  }).listen(0, '127.0.0.1');
  await once(portal, 'listening');
});
afterEach(() => {
  portal.closeAllConnections();
  portal.close();
  removeDataFolders();
});

it('is no answer of the server, so the device is offline', async () => {
  const serverUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  const { host, ask } = await openHost({ serverUrl });
  await expect(ask.account.requestSignIn({ email: 'ada@example.com' })).rejects.toMatchObject({ code: 'sync.offline' });
  await expect(ask.billing.plans()).rejects.toMatchObject({ code: 'sync.offline' });
  expect(await ask.sync.run()).toMatchObject({ state: 'offline' });
  await host.close();
});
