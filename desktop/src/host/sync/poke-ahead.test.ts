import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { NDJSON_MEDIA_TYPE, POKES_PATH, ENDPOINTS } from '@parley/contract';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';

it('pulls once when the server announces a version that it does not have', async () => {
  let pulls = 0;
  const server = createServer((request, response) => {
    const send = (type: string, text: string): void =>
      void response.writeHead(200, { 'content-type': type }).write(text);
    if (request.url === POKES_PATH)
      return send('text/event-stream', 'event: message\ndata: {"user":1000000,"catalogue":0}\n\n');
    if (request.url?.startsWith(ENDPOINTS.stream.path) === true) {
      pulls += 1;
      send(NDJSON_MEDIA_TYPE, '{"type":"end","epoch":"first"}\n');
      return void response.end();
    }
    if (request.url !== '/v1/devices/register') {
      return void response.writeHead(503, { 'content-type': 'application/json' }).end('{"code":"internal"}');
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { userId, deviceId } = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, string>;
      send('application/json', JSON.stringify({ userId, deviceId, token: 'a'.repeat(43) }));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { host } = await openHost({ serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  await vi.waitFor(() => expect(pulls).toBeGreaterThan(1), { timeout: 20_000 });
  await wait(1_000);
  expect(pulls).toBeLessThan(5);
});
