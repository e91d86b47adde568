import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { anHonestLearner, type HonestLearner } from '../../../test-kit/sync/honest-learner.ts';
import { requestBytes } from '../../../test-kit/raw-connection.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { storeLongTurns } from '../../../test-kit/sync/long-turns.ts';

const MEGABYTE = 1_048_576;
/** Long enough to find the streams open on a busy machine. */
const LINE_WITHIN_MS = 5_000;
const STREAMS_PER_ACCOUNT = 4;

let server: TestServer;
let address: string;
let honest: HonestLearner;
let attacker: TestDevice;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), {
    withCatalogue: true,
    streamLineTimeoutMs: LINE_WITHIN_MS,
  });
  address = await server.listen();
  honest = await anHonestLearner(server);
  attacker = await registerDevice(server);
  await storeLongTurns(server, attacker, 60);
});
afterAll(() => server.close());

const streamRequest = ({ deviceId, token }: TestDevice): Buffer =>
  requestBytes({
    path: '/v1/sync/stream',
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
    body: JSON.stringify({
      protocol: 3,
      deviceId,
      epoch: null,
      cursors: { catalogue: 0, user: 0, older: null },
      answeredSeq: 0,
    }),
  });

async function openUnread(device: TestDevice): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(streamRequest(device));
  return socket;
}

const turnsStatusOf = async ({ token, deviceId }: TestDevice): Promise<number> => {
  const answer = await fetch(`${address}/v1/sync/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ protocol: 3, deviceId, epoch: null, sessionIds: [randomUUID()] }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const statusOf = async ({ token, deviceId }: TestDevice): Promise<number> => {
  const answer = await fetch(`${address}/v1/sync/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol: 3,
      deviceId,
      epoch: null,
      cursors: { catalogue: 0, user: 0, older: null },
      answeredSeq: 0,
    }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

describe('sync streams', () => {
  it('keep lines near one megabyte and deliver every row', async () => {
    const { pages } = await attacker.stream();
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1.5 * MEGABYTE);
    const turns = pages.flatMap(({ tables }) => tables).filter(({ table }) => table === 'ai_conversations');
    expect(turns.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(60);
  });

  it('that are not read are limited per account, affect no other account and end', { tags: ['slow'] }, async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < STREAMS_PER_ACCOUNT; count += 1) sockets.push(await openUnread(attacker));
    // Both kinds of streams share the limit.
    await expect
      .poll(() => Promise.all([turnsStatusOf(attacker), statusOf(attacker)]), { interval: 50 })
      .toEqual([429, 429]);
    await honest.expectUnharmed();
    // None of the streams is read, so each ends when its line was not taken in time.
    await expect.poll(() => statusOf(attacker), { timeout: 10 * LINE_WITHIN_MS, interval: 200 }).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

it('answers only the first changes of a large push, and the device resends the rest', { tags: ['slow'] }, async () => {
  const { pages } = await attacker.stream();
  const turnIds = pages
    .flatMap(({ tables }) => tables)
    .filter(({ table }) => table === 'ai_conversations')
    .flatMap(({ fields, rows }) => rows.map((row) => String(row[fields.indexOf('conversationId')])));
  const changes = turnIds.map((rowId) =>
    attacker.change({ table: 'ai_conversations', rowId, fields: { content: 'y' } }),
  );
  const first = await attacker.push(...changes);
  expect(first.outcomes.length).toBeLessThan(changes.length);
  expect(JSON.stringify(first).length).toBeLessThan(18 * MEGABYTE);
  const rest = changes.slice(first.outcomes.length);
  expect((await attacker.push(...rest)).outcomes).toHaveLength(rest.length);
});
