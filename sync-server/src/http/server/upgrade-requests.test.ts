/**
 * Requests that offer another protocol, on servers with and without the WebSocket route. Node hands the sockets of such requests over to the
 * listener for upgrades, which must also handle their errors: an unhandled one ends the process.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ENDPOINTS, SERVER_INFO_PATH } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { requestBytes, sendRaw } from '../../../test-kit/raw-connection.ts';
import { openRealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';
import { startServer } from '../../../test-kit/server.ts';

const OFFERS = {
  'a WebSocket': {
    upgrade: 'websocket',
    connection: 'close, upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  },
  // Sent by the HTTP client of Java, and by `curl --http2`.
  'HTTP/2': {
    upgrade: 'h2c',
    connection: 'close, upgrade, http2-settings',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  },
};

async function openServer(hasRealtime: boolean): Promise<{ address: string; close: () => Promise<void> }> {
  if (hasRealtime) {
    const home = await openRealtimeFixture();
    return { address: home.address, close: () => home.close() };
  }
  const server = await startServer(await openMemoryDatabase());
  return { address: await server.listen(), close: () => server.close() };
}

describe.each([
  ['without calls', false],
  ['with calls', true],
])('a server %s', (_name, hasRealtime) => {
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    server = await openServer(hasRealtime);
  });
  afterAll(() => server.close());

  it.each(Object.entries(OFFERS))('answers a request that offers %s like any other', async (_offer, headers) => {
    const asked = requestBytes({ method: 'GET', path: SERVER_INFO_PATH, headers: { ...headers, host: '127.0.0.1' } });
    expect(await sendRaw(server.address, asked)).toMatchObject({ status: 200 });
  });

  it('survives connections that are reset after such a request', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    process.on('uncaughtException', onError);
    onTestFinished(() => void process.off('uncaughtException', onError));
    const { hostname, port } = new URL(server.address);
    for (let count = 0; count < 30; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const path = [SERVER_INFO_PATH, ENDPOINTS.realtime.path, '/unknown'][count % 3] ?? '/';
      socket.write(requestBytes({ method: 'GET', path, headers: { ...OFFERS['a WebSocket'], host: '127.0.0.1' } }));
      await wait(count % 5);
      socket.resetAndDestroy();
    }
    await wait(200);
    expect(errors).toEqual([]);
  });
});
