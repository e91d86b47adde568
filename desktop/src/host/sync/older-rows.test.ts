/** A device that is still fetching older rows, newest first, while it already works and pushes. */
import { LinkCode } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/a-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import { type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';

let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  server.cutStreamAfter = null;
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function online(): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

const start = ({ ask }: OpenHost) =>
  ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' });

const sessionsOf = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 200 })).items.map(({ sessionId }) => sessionId).toSorted();

interface Cursors {
  user: number;
  older: number | null;
}

const cursorsOf = ({ dataDir }: OpenHost): Cursors =>
  inDatabase(dataDir, (sqlite) =>
    sqlite.prepare<[], Cursors>('SELECT user_cursor AS user, older_cursor AS older FROM sync_state').get(),
  ) ?? { user: 0, older: null };

const SESSIONS = 110;

/** A profile and a session that are the oldest of what the server holds, and so much after them that it takes several pages. */
async function aLongHistory(): Promise<{ one: OpenHost; oldest: string }> {
  const one = await online();
  await one.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner' });
  const { sessionId: oldest } = await start(one);
  await one.ask.sync.run();
  for (let session = 0; session < SESSIONS; session += 1) {
    await start(one);
    if (session % 20 === 0) await one.ask.sync.run();
  }
  expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
  return { one, oldest };
}

/** A second device of the account whose first stream was cut off: its oldest rows are still to come. */
async function halfway(one: OpenHost): Promise<OpenHost> {
  const two = await online();
  const { code } = await one.ask.account.createLinkCode();
  server.cutStreamAfter = 1;
  await two.ask.account.join({ code: LinkCode.parse(code) });
  // From here on nothing comes until the test lets it.
  server.cutStreamAfter = 0;
  expect(cursorsOf(two).older).toBeGreaterThan(1);
  expect((await sessionsOf(two)).length).toBeLessThan(SESSIONS + 1);
  return two;
}

describe('a device whose older rows are still to come', () => {
  it('misses none of them, whatever it changes in the meantime', async () => {
    const { one, oldest } = await aLongHistory();
    const two = await halfway(one);
    const cursors = cursorsOf(two);
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: null, jobTitle: null });
    // The push moves the oldest row of all to the newest version, though this device has never had it.
    await two.ask.settings.updateProfile({ lastName: 'Novak' });
    const mine = await start(two);
    await expect.poll(async () => (await two.ask.sync.run()).waiting, { timeout: 10_000 }).toBe(0);
    expect(cursorsOf(two)).toEqual(cursors);

    server.cutStreamAfter = null;
    await expect.poll(async () => (await two.ask.sync.run()).state, { timeout: 10_000 }).toBe('idle');
    expect(cursorsOf(two).older).toBeNull();
    await one.ask.sync.run();
    expect(await sessionsOf(two)).toEqual(await sessionsOf(one));
    expect(await sessionsOf(two)).toEqual(expect.arrayContaining([oldest, mine.sessionId]));
    for (const { ask } of [one, two])
      expect((await ask.settings.read()).profile).toMatchObject({
        firstName: 'Ana',
        lastName: 'Novak',
        jobTitle: 'Planner',
      });
  });

  it('misses none that another device moves to the front', async () => {
    const { one, oldest } = await aLongHistory();
    const two = await halfway(one);
    await one.ask.practice.sendTyped({ sessionId: oldest, text: 'bananas', hintLevel: 0 });
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await one.ask.sync.run();
    await start(two);
    await expect.poll(async () => (await two.ask.sync.run()).waiting, { timeout: 10_000 }).toBe(0);
    server.cutStreamAfter = null;
    await expect.poll(async () => (await two.ask.sync.run()).state, { timeout: 10_000 }).toBe('idle');
    await one.ask.sync.run();
    expect(await sessionsOf(two)).toEqual(await sessionsOf(one));
    const turns = (await two.ask.practice.session({ sessionId: oldest })).turns;
    expect(turns.filter(({ role }) => role === 'learner').map(({ text }) => text)).toEqual(['bananas']);
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
  });
});
