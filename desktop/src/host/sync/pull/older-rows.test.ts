/** A device that works and pushes while it is still pulling older rows, newest first. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDevices, join, sessionIdsOf, untilNothingWaits } from '../../test-kit/devices.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { type OpenHost, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  server.cutStreamAfterLines = null;
  await devices.closeAll();
});
afterAll(() => server.close());

const start = ({ ask }: OpenHost) => startPractice(ask, 'text');

interface Cursors {
  user: number;
  older: number | null;
}

const cursorsOf = ({ dataDir }: OpenHost): Cursors =>
  inDatabase(dataDir, (sqlite) =>
    sqlite.prepare<[], Cursors>('SELECT user_cursor AS user, older_cursor AS older FROM sync_state').get(),
  ) ?? { user: 0, older: null };

const SESSIONS = 160;

/** Creates a profile and a session that are the oldest rows on the server, with several pages of rows after them. */
async function aLongHistory(): Promise<{ one: OpenHost; oldest: string }> {
  const one = await devices.open();
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

/** Joins a second device whose first stream is cut off, so that its oldest rows are missing. */
async function halfway(one: OpenHost): Promise<OpenHost> {
  const two = await devices.open();
  server.cutStreamAfterLines = 1;
  await join(two, one);
  // Nothing more is sent until the test allows it.
  server.cutStreamAfterLines = 0;
  expect(cursorsOf(two).older).toBeGreaterThan(1);
  expect((await sessionIdsOf(two)).length).toBeLessThan(SESSIONS + 1);
  return two;
}

describe('a device with older rows still to come', () => {
  it('receives all of them, whatever it changes meanwhile', { tags: ['slow'] }, async () => {
    const { one, oldest } = await aLongHistory();
    const two = await halfway(one);
    const cursors = cursorsOf(two);
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: null, jobTitle: null });
    // The push gives the oldest row the newest version, although this device never received the row.
    await two.ask.settings.updateProfile({ lastName: 'Novak' });
    const mine = await start(two);
    await expect.poll(async () => (await two.ask.sync.run()).waiting, { timeout: 10_000 }).toBe(0);
    expect(cursorsOf(two)).toEqual(cursors);

    server.cutStreamAfterLines = null;
    await untilNothingWaits(two);
    expect(cursorsOf(two).older).toBeNull();
    await one.ask.sync.run();
    expect(await sessionIdsOf(two)).toEqual(await sessionIdsOf(one));
    expect(await sessionIdsOf(two)).toEqual(expect.arrayContaining([oldest, mine.sessionId]));
    for (const { ask } of [one, two])
      expect((await ask.settings.read()).profile).toMatchObject({
        firstName: 'Ana',
        lastName: 'Novak',
        jobTitle: 'Planner',
      });
  });

  it('receives rows that another device updates meanwhile', { tags: ['slow'] }, async () => {
    const { one, oldest } = await aLongHistory();
    const two = await halfway(one);
    await one.ask.practice.sendTyped({ sessionId: oldest, text: 'bananas', hintLevel: 0 });
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await one.ask.sync.run();
    await start(two);
    await expect.poll(async () => (await two.ask.sync.run()).waiting, { timeout: 10_000 }).toBe(0);
    server.cutStreamAfterLines = null;
    await untilNothingWaits(two);
    await one.ask.sync.run();
    expect(await sessionIdsOf(two)).toEqual(await sessionIdsOf(one));
    const turns = (await two.ask.practice.session({ sessionId: oldest })).turns;
    expect(turns.filter(({ role }) => role === 'learner').map(({ text }) => text)).toEqual(['bananas']);
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
  });
});
