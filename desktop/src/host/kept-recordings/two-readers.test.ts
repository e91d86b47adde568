/**
 * A copy of a recording that is requested twice at the same time, for example by two windows, or by a window and an
 * export.
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createDevices, speakTurn } from '../test-kit/devices.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, keptRecordings: { quietMs: 0 } }));
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

it('a copy that two windows play is downloaded once', async () => {
  const one = await devices.open();
  const { recordingId } = await speakTurn(one);
  await one.ask.recordings.keep({ isOn: true, deleteAll: false });
  await vi.waitFor(async () => expect(await one.ask.recordings.keeping()).toMatchObject({ kept: 1, waiting: 0 }), {
    timeout: 20_000,
    interval: 50,
  });
  const two = await devices.openJoined(one);
  await vi.waitFor(async () => expect(await two.ask.recordings.keeping()).toMatchObject({ kept: 1 }), {
    timeout: 20_000,
    interval: 50,
  });
  server.requested = [];
  const read = async (): Promise<number> => (await two.ask.recordings.read({ recordingId })).size;
  const [first, second] = await Promise.all([read(), read()]);
  expect(second).toBe(first);
  expect(server.requested.filter((path) => path === '/v1/recordings/audio')).toHaveLength(1);
});
