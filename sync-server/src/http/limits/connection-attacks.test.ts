/** One machine with many anonymous accounts cannot take over the connections and poke streams of the others. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { requestBytes } from '../../../test-kit/raw-connection.ts';
import {
  aPushRequest,
  joinDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const MAX_CONNECTIONS = 40;
const ACCOUNTS = 4;

let server: TestServer;
let address: string;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await server.close();
});

async function open(options: Parameters<typeof startServer>[1] = {}): Promise<void> {
  server = await startServer(await openMemoryDatabase(), { maxConnections: MAX_CONNECTIONS, ...options });
  address = await server.listen();
}

const severalDevices = (count: number): Promise<TestDevice[]> =>
  Promise.all(Array.from({ length: count }, () => registerDevice(server)));

interface Connection {
  isOpen: () => boolean;
  /** Sends a request that authenticates. Returns the status, or null when the connection was closed instead. */
  ask: (device: TestDevice) => Promise<number | null>;
}

async function openConnection(localAddress = '127.0.0.1'): Promise<Connection> {
  const { port } = new URL(address);
  const socket: Socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  closing.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close').then(() => null);
  return {
    isOpen: () => !socket.destroyed,
    async ask({ token, deviceId }) {
      const body = JSON.stringify(aPushRequest(server, deviceId, []));
      const answer = once(socket, 'data').then(([part]) => Number(/^HTTP\/1\.1 (\d{3})/.exec(String(part))?.[1]));
      answer.catch(() => undefined);
      const headers = { authorization: `Bearer ${token}`, connection: 'keep-alive' };
      socket.write(requestBytes({ path: '/v1/sync/push', headers, body }));
      return Promise.race([answer, closed]);
    },
  };
}

/** Fills the server with authenticated connections from one address. */
async function takeAll(accounts: readonly TestDevice[]): Promise<Connection[]> {
  const taken: Connection[] = [];
  for (let count = 0; count < MAX_CONNECTIONS + 10; count += 1) {
    const connection = await openConnection();
    const device = accounts[count % accounts.length];
    if (device !== undefined) await connection.ask(device);
    taken.push(connection);
  }
  return taken;
}

describe('authenticated connections of one machine that fill the server', () => {
  it.runIf(process.platform === 'linux')('leave room for other networks, and do not close each other', async () => {
    await open();
    const learner = await registerDevice(server);
    const taken = await takeAll(await severalDevices(ACCOUNTS));
    expect(taken.slice(0, MAX_CONNECTIONS).every(({ isOpen }) => isOpen())).toBe(true);
    for (const network of ['127.0.0.2', '127.0.0.3']) {
      const connections = [await openConnection(network), await openConnection(network)];
      for (const connection of connections) expect(await connection.ask(learner)).toBe(200);
    }
  });
});

it('a school with a connection for each learner keeps all of them', async () => {
  await open();
  const learners = await severalDevices(MAX_CONNECTIONS - 1);
  const connections: Connection[] = [];
  for (const learner of learners) {
    const connection = await openConnection();
    expect(await connection.ask(learner)).toBe(200);
    connections.push(connection);
  }
  for (const [index, learner] of learners.entries()) expect(await connections[index]?.ask(learner)).toBe(200);
});

describe('poke streams of one network behind a load balancer', () => {
  const ATTACKER = '203.0.113.66';
  const listen = async ({ token }: TestDevice, network: string): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': network };
    const asked = get(`${address}/v1/sync/pokes`, { agent: false, headers });
    closing.push(() => asked.destroy());
    asked.on('error', () => undefined);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    answer.resume();
    return answer;
  };

  it.each([
    ['another network', '198.51.100.7'],
    ['another account in the same network', ATTACKER],
  ])('leave room for %s', async (_whose, network) => {
    await open({ trustProxy: 1 });
    const attackers = await severalDevices(ACCOUNTS);
    const streams: IncomingMessage[] = [];
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) {
      const device = attackers[count % ACCOUNTS];
      if (device !== undefined) streams.push(await listen(device, ATTACKER));
    }
    const first = await registerDevice(server);
    const learners = [first, await joinDevice(server, first)];
    const heard: IncomingMessage[] = [];
    for (const learner of learners) heard.push(await listen(learner, network));
    expect(heard.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const [attacker] = attackers;
    if (attacker === undefined) throw new Error('no attacker');
    const refused = await listen(attacker, ATTACKER);
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60' } });
    await expect.poll(() => heard.some(({ complete }) => complete)).toBe(false);
    expect(streams.filter(({ statusCode }) => statusCode === 200).length).toBeLessThan(MAX_CONNECTIONS);
  });

  it('count an IPv6 site as one network', async () => {
    await open({ trustProxy: 1 });
    const attackers = await severalDevices(MAX_CONNECTIONS);
    for (const [index, device] of attackers.entries()) await listen(device, `2001:db8:1:${index}::1`);
    expect((await listen(await registerDevice(server), '2001:db8:2::1')).statusCode).toBe(200);
  });
});
