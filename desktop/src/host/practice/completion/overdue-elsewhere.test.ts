/** Sessions that were left for a week, on a device that may not know what another one has done with them. */
import { LinkCode } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { aClock, aWindow, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Nothing listens there. */
const UNREACHABLE = 'http://127.0.0.1:9';

let clock = aClock();
let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer({ now: () => clock.now() });
});
beforeEach(() => {
  clock = aClock();
  server.fail = null;
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function close(one: OpenHost): Promise<void> {
  await one.host.close();
  opened = opened.filter((other) => other !== one);
}

async function sync({ ask }: OpenHost): Promise<void> {
  await expect.poll(async () => await ask.sync.run(), { timeout: 10_000 }).toMatchObject({ state: 'idle', waiting: 0 });
}

async function leaveSession({ ask }: OpenHost): Promise<SessionId> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  for (const text of [LATE_REPLY, 'bananas', SORRY_REPLY])
    await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const listed = async ({ ask }: OpenHost) => (await ask.history.list({ search: '', offset: 0, limit: 5 })).items;

const phaseOf = async ({ ask }: OpenHost, sessionId: SessionId) => (await ask.practice.session({ sessionId })).phase;

it('stays deleted if another device has deleted it', async () => {
  const [here, there] = [await open(), await open()];
  const { code } = await here.ask.account.createLinkCode();
  await there.ask.account.join({ code: LinkCode.parse(code) });
  const sessionId = await leaveSession(here);
  await sync(here);
  await sync(there);
  await close(here);
  clock.pass(WEEK_MS - 3_600_000);
  await there.ask.practice.discard({ sessionId });
  await sync(there);
  clock.pass(3_600_000);

  // Without a network, the device does not know of the deletion.
  await close(await open({ dataDir: here.dataDir, serverUrl: UNREACHABLE }));
  const again = await open({ dataDir: here.dataDir });
  for (const device of [again, there]) await sync(device);
  for (const device of [again, there]) expect(await listed(device)).toEqual([]);
});

it('is finished once the device knows that it is still open everywhere', async () => {
  const here = await open();
  const sessionId = await leaveSession(here);
  await sync(here);
  await close(here);
  clock.pass(WEEK_MS);
  const offline = await open({ dataDir: here.dataDir, serverUrl: UNREACHABLE });
  expect(await phaseOf(offline, sessionId)).toBe('ended');
  await close(offline);
  expect(await phaseOf(await open({ dataDir: here.dataDir }), sessionId)).toBe('scored');
});

it('stays open when the network returns while a window shows it', async () => {
  const first = await open();
  const sessionId = await leaveSession(first);
  await sync(first);
  await close(first);
  clock.pass(WEEK_MS);
  server.fail = 'internal';
  const here = await open({ dataDir: first.dataDir });
  const window = aWindow(here.host);
  const { phase } = await window.ask.practice.session({ sessionId });
  expect(phase).toBe('ended');

  server.fail = null;
  await sync(here);
  await here.host.whenIdle();
  expect(await phaseOf(here, sessionId)).toBe('ended');

  window.close();
  await sync(here);
  await here.host.whenIdle();
  expect(await phaseOf(here, sessionId)).toBe('scored');
});

it('is finished without a network if no other device can know of it', async () => {
  const first = await open({ serverUrl: UNREACHABLE });
  const sessionId = await leaveSession(first);
  await close(first);
  clock.pass(WEEK_MS);
  expect(await phaseOf(await open({ dataDir: first.dataDir, serverUrl: UNREACHABLE }), sessionId)).toBe('scored');
});

it('is tried again without a network once the learner has ended it here', async () => {
  const here = await open();
  const sessionId = await leaveSession(here);
  await sync(here);
  inDatabase(here.dataDir, (sqlite) =>
    sqlite.exec(`CREATE TRIGGER broken BEFORE UPDATE OF status ON practice_history
      BEGIN SELECT RAISE(ABORT, 'broken'); END`),
  );
  await expect(here.ask.practice.finish({ sessionId })).rejects.toThrow();
  await close(here);
  inDatabase(here.dataDir, (sqlite) => sqlite.exec('DROP TRIGGER broken'));
  clock.pass(20 * 60_000);
  const offline = await open({ dataDir: here.dataDir, serverUrl: UNREACHABLE });
  expect(await phaseOf(offline, sessionId)).toBe('scored');
});
