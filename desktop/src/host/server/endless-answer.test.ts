import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { connectToServer } from './index.ts';

const SPACES = Buffer.alloc(1_048_576, ' ');
/** More than the limits of both responses and the buffers of the network. */
const SENT_MIB = 400;

it.each([
  [200, 'application/json'],
  [400, 'application/json'],
  [429, 'text/html'],
])('stops reading an answer with status %s that is too long, as %s', async (status, type) => {
  let sentMib = 0;
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type });
    const long = function* () {
      for (let left = SENT_MIB; left > 0 && !response.destroyed; left -= 1) {
        sentMib += 1;
        yield SPACES;
      }
    };
    Readable.from(long()).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = connectToServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => null);
  onTestFinished(() => {
    connection.cancelAll();
    server.closeAllConnections();
    server.close();
  });
  await expect(connection.client.billing.plans({})).rejects.toThrow();
  await expect(connection.push('{}')).rejects.toThrow();
  expect(sentMib).toBeLessThan(SENT_MIB);
});
