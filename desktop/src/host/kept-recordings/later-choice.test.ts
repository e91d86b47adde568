/** The learner chooses again before the server has answered. */
import type { RecordingKeeping } from '@parley/contract';
import { ok } from '@parley/domain';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openRecordings } from '../recordings/index.ts';
import type { HostResult } from '../result/index.ts';
import { createFileVault, writeCredentials } from '../server/index.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { readKeepingRow } from './keeping-state.ts';
import { createKeptRecordings } from './kept-recordings.ts';

const KEEPS_NOTHING = { isOn: false, usedBytes: 0, quotaBytes: 10 };
const KEEPS_ALL = { ...KEEPS_NOTHING, isOn: true };
const [ON, OFF, DELETE] = [
  { isOn: true, deleteAll: false },
  { isOn: false, deleteAll: false },
  { isOn: false, deleteAll: true },
];

type Answer = RecordingKeeping | null;

/**
 * `answers` are the responses to each "off", in order; null breaks the connection. `agreement` is the response to "on".
 */
async function openKeeping(answers: Promise<Answer>[], agreement: Promise<HostResult<RecordingKeeping>>) {
  const asked: unknown[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The list of copies cannot be read.
    if (request.url !== '/v1/recordings/keep') return void response.destroy();
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const answer = (await answers.shift()) ?? null;
    if (answer === null) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = await openTestStore();
  const vault = createFileVault(store.dataDir);
  await writeCredentials(vault, { ...store.identity(), token: 'token' });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const kept = createKeptRecordings({
    store,
    recordings: openRecordings(store, logger),
    sync: {
      // While rows are being sent, only choices are sent, not recordings.
      status: () => ({
        state: 'pushing',
        waiting: 0,
        rejected: 0,
        unread: 0,
        lastSyncedAt: null,
        leadsTo: null,
        obstacle: null,
        isMoveOffline: false,
      }),
      request: (() => agreement) as never,
    },
    vault,
    chance: () => 0,
    logger,
    serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  onTestFinished(async () => {
    await kept.close();
    store.close();
    server.closeAllConnections();
    server.close();
  });
  return { kept, asked, pending: () => readKeepingRow(store, store.identity().userId).pendingChoice };
}

it('does not mistake the answer to "on" for the answer to a later deletion that could not be sent', async () => {
  const { promise: agreement, resolve } = Promise.withResolvers<HostResult<RecordingKeeping>>();
  const { kept, pending } = await openKeeping([Promise.resolve(null)], agreement);
  const on = kept.choose(ON);
  await kept.choose(DELETE);
  resolve(ok(KEEPS_ALL));
  expect(await on).toMatchObject({ ok: true, value: { isOn: false, isDeleting: true } });
  expect(pending()).toBe('off_and_delete');
});

it('sends a later "off" again, because the server may have received it first', async () => {
  const { promise: agreement, resolve } = Promise.withResolvers<HostResult<RecordingKeeping>>();
  const { kept, pending } = await openKeeping([Promise.resolve(KEEPS_NOTHING)], agreement);
  const on = kept.choose(ON);
  await kept.choose(OFF);
  expect(pending()).toBeNull();
  resolve(ok(KEEPS_ALL));
  expect(await on).toMatchObject({ ok: true, value: { isOn: false } });
  expect(pending()).toBe('off');
});

it.each([
  ['a deletion', DELETE, 'off_and_delete', [OFF, DELETE]],
  ['"on" and the same choice', OFF, 'off', [OFF, OFF]],
])('does not mistake the answer to "off" for the answer to %s that followed', async (_name, later, expected, sent) => {
  const { promise: late, resolve } = Promise.withResolvers<Answer>();
  const { kept, asked, pending } = await openKeeping([late, Promise.resolve(null)], Promise.resolve(ok(KEEPS_ALL)));
  const off = kept.choose(OFF);
  await expect.poll(() => asked.length).toBe(1);
  if (later === OFF) await kept.choose(ON);
  await kept.choose({ ...later });
  expect(asked).toEqual(sent);
  resolve(KEEPS_NOTHING);
  await off;
  expect(pending()).toBe(expected);
});
