/** Accounts in one network that read their streams slowly do not prevent other accounts from reading theirs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { requestBytes } from '../../../test-kit/raw-connection.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { storeLongTurns } from '../../../test-kit/sync/long-turns.ts';

const ATTACKER = '203.0.113.66';
const STREAMS_PER_ACCOUNT = 4;
const MAX_STREAMS = 8;
/** More than the operating system buffers for a reader. */
const TURNS = 40;

let server: TestServer;
let address: string;
const attackers: TestDevice[] = [];
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), { trustProxy: 1, maxSyncStreams: MAX_STREAMS });
  address = await server.listen();
  for (let account = 0; account < MAX_STREAMS / STREAMS_PER_ACCOUNT; account += 1) {
    const device = await registerDevice(server);
    await storeLongTurns(server, device, TURNS);
    attackers.push(device);
  }
});
beforeEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.close());

const requestOf = ({ deviceId, token }: TestDevice, network: string) => ({
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'x-forwarded-for': network,
  },
  body: JSON.stringify({
    protocol: 3,
    deviceId,
    epoch: null,
    cursors: { catalogue: 0, user: 0, older: null },
    answeredSeq: 0,
  }),
});

/** Opens a stream and reads only its first line. */
async function openSlowly(device: TestDevice, network: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(requestBytes({ path: '/v1/sync/stream', ...requestOf(device, network) }));
  await once(socket, 'data');
  socket.pause();
}

const readStream = async (device: TestDevice, network: string): Promise<number> => {
  const answer = await fetch(`${address}/v1/sync/stream`, { method: 'POST', ...requestOf(device, network) });
  await answer.text();
  return answer.status;
};

it.each<[whose: string, learnersNetwork: string, attackersNetwork: (stream: number) => string]>([
  ['another network', '198.51.100.7', () => ATTACKER],
  ['another account in the same network', ATTACKER, () => ATTACKER],
  ['another IPv6 site', '2001:db8:2::1', (stream) => `2001:db8:1:${stream}::1`],
])('slow streams leave room for %s', async (_whose, learnersNetwork, attackersNetwork) => {
  const learner = await registerDevice(server);
  await storeLongTurns(server, learner, 2);
  for (const device of attackers)
    for (let stream = 0; stream < STREAMS_PER_ACCOUNT; stream += 1)
      await openSlowly(device, attackersNetwork(sockets.length));
  expect(await readStream(learner, learnersNetwork)).toBe(200);
});
