import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openHost, startPractice } from '../test-kit/open-host.ts';

// A timer of Node that is set for more than 24 days ends at once.
it.each(['31536000', '1e300'])('sends no request while a server asks for a wait of %s seconds', async (seconds) => {
  const registrations: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/v1/devices/register') registrations.push(request.url);
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': seconds }).end('{"code":"internal"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { host, ask } = await openHost({ serverUrl });
  onTestFinished(() => host.close());
  await startPractice(ask, 'text');
  await ask.sync.run();
  registrations.length = 0;
  await wait(1_000);
  // The learner's new work may start further rounds.
  expect(registrations.length).toBeLessThan(10);
});
