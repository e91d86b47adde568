import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { fillHistory } from '../../../test-kit/sync/seed-history.ts';
import { requestBytes } from '../../../test-kit/raw-connection.ts';
import { catalogueIds } from '../../../test-kit/sync/rows.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

const STALLED_AFTER_MS = 500;
/** This is more than the buffers at both ends of a connection hold. */
const SESSIONS = 40;

let server: TestServer;
let address: string;
let device: TestDevice;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), {
    withCatalogue: true,
    stalledAfterMs: STALLED_AFTER_MS,
  });
  address = await server.listen();
  device = await registerDevice(server);
  await fillHistory(server, device, { ids: await catalogueIds(device), sessions: SESSIONS });
});
afterAll(() => server.close());

const connections = (): Promise<number> =>
  new Promise((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));

it('closes a connection whose reader requests a history and does not read it', async () => {
  const { hostname, port } = new URL(address);
  const body = JSON.stringify({
    protocol: 3,
    deviceId: device.deviceId,
    epoch: null,
    cursors: { catalogue: 0, user: 0, older: null },
    answeredSeq: 0,
  });
  const headers = { authorization: `Bearer ${device.token}`, 'accept-encoding': 'identity' };
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  await new Promise<void>((resolve) =>
    socket.write(requestBytes({ path: '/v1/sync/stream', headers, body }), () => resolve()),
  );
  expect(await connections()).toBe(1);
  await expect.poll(connections, { timeout: 10_000, interval: 100 }).toBe(0);
  socket.destroy();
});
