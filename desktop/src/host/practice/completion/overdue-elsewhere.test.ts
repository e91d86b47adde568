/** Sessions that were left for a week, on a device that may not know whether another device has finished them. */
import type { SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { aClock, aWindow, type OpenHost, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { createDevices, untilNothingWaits } from '../../test-kit/devices.ts';
import { LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** No server listens at this address. */
const UNREACHABLE = 'http://127.0.0.1:9';

let clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: () => clock.now() });
});
beforeEach(() => {
  clock = aClock();
  server.fail = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

async function leaveSession({ ask }: OpenHost): Promise<SessionId> {
  const { sessionId } = await startPractice(ask, 'text');
  for (const text of [LATE_REPLY, 'bananas', SORRY_REPLY])
    await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const listed = async ({ ask }: OpenHost) => (await ask.history.list({ search: '', offset: 0, limit: 5 })).items;

const phaseOf = async ({ ask }: OpenHost, sessionId: SessionId) => (await ask.practice.session({ sessionId })).phase;

it('an overdue session stays deleted if another device has deleted it', async () => {
  const here = await devices.open();
  const there = await devices.openJoined(here);
  const sessionId = await leaveSession(here);
  await untilNothingWaits(here, there);
  await devices.close(here);
  clock.pass(WEEK_MS - 3_600_000);
  await there.ask.practice.discard({ sessionId });
  await untilNothingWaits(there);
  clock.pass(3_600_000);

  // Without a network, the device does not know of the deletion.
  await devices.close(await devices.open({ dataDir: here.dataDir, serverUrl: UNREACHABLE }));
  const again = await devices.open({ dataDir: here.dataDir });
  await untilNothingWaits(again, there);
  for (const device of [again, there]) expect(await listed(device)).toEqual([]);
});

it('an overdue session is finished once the device knows that it is still open everywhere', async () => {
  const here = await devices.open();
  const sessionId = await leaveSession(here);
  await untilNothingWaits(here);
  await devices.close(here);
  clock.pass(WEEK_MS);
  const offline = await devices.open({ dataDir: here.dataDir, serverUrl: UNREACHABLE });
  expect(await phaseOf(offline, sessionId)).toBe('ended');
  await devices.close(offline);
  expect(await phaseOf(await devices.open({ dataDir: here.dataDir }), sessionId)).toBe('scored');
});

it('an overdue session stays open when the network returns while a window shows it', async () => {
  const first = await devices.open();
  const sessionId = await leaveSession(first);
  await untilNothingWaits(first);
  await devices.close(first);
  clock.pass(WEEK_MS);
  server.fail = 'internal';
  const here = await devices.open({ dataDir: first.dataDir });
  const window = aWindow(here.host);
  const { phase } = await window.ask.practice.session({ sessionId });
  expect(phase).toBe('ended');

  server.fail = null;
  await untilNothingWaits(here);
  await here.host.whenIdle();
  expect(await phaseOf(here, sessionId)).toBe('ended');

  window.close();
  await untilNothingWaits(here);
  await here.host.whenIdle();
  expect(await phaseOf(here, sessionId)).toBe('scored');
});

it('an overdue session is finished without a network if no other device can know of it', async () => {
  const first = await devices.open({ serverUrl: UNREACHABLE });
  const sessionId = await leaveSession(first);
  await devices.close(first);
  clock.pass(WEEK_MS);
  expect(await phaseOf(await devices.open({ dataDir: first.dataDir, serverUrl: UNREACHABLE }), sessionId)).toBe(
    'scored',
  );
});

it('finishing is tried again without a network once the learner has ended the session here', async () => {
  const here = await devices.open();
  const sessionId = await leaveSession(here);
  await untilNothingWaits(here);
  inDatabase(here.dataDir, (sqlite) =>
    sqlite.exec(`CREATE TRIGGER broken BEFORE UPDATE OF status ON practice_history
      BEGIN SELECT RAISE(ABORT, 'broken'); END`),
  );
  await expect(here.ask.practice.finish({ sessionId })).rejects.toThrow();
  await devices.close(here);
  inDatabase(here.dataDir, (sqlite) => sqlite.exec('DROP TRIGGER broken'));
  clock.pass(20 * 60_000);
  const offline = await devices.open({ dataDir: here.dataDir, serverUrl: UNREACHABLE });
  expect(await phaseOf(offline, sessionId)).toBe('scored');
});
