/** Two devices of one learner work independently; afterwards, both have everything. */
import type { SessionView } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, untilNothingWaits } from '../test-kit/devices.ts';
import { LATE_REPLY, SORRY_REPLY } from '../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { aClock, type OpenHost, startPractice } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = '2026-11-18T10:00:00.000Z';

let serverClock = aClock(NOW);
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeAll(async () => {
  server = await startServer({ now: () => serverClock.now() });
});
beforeEach(() => {
  serverClock = aClock(NOW);
  server.fail = null;
  server.failOn = null;
  server.failOnChange = null;
  server.pushed = [];
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

type Clock = ReturnType<typeof aClock>;

/** Creates two devices of one account, each with its own clock. */
async function twoDevices(clocks: [Clock, Clock] = [aClock(NOW), aClock(NOW)]): Promise<[OpenHost, OpenHost]> {
  const one = await devices.open({ clock: clocks[0] });
  return [one, await devices.openJoined(one, { clock: clocks[1] })];
}

const say = ({ ask }: OpenHost, sessionId: SessionId, text: string): Promise<SessionView> =>
  ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });

const wordsIn = async ({ ask }: OpenHost, sessionId: SessionId): Promise<(string | number)[][]> =>
  (await ask.practice.session({ sessionId })).turns
    .filter(({ role }) => role === 'learner')
    .map(({ text, continuation }) => [text, continuation ?? 0]);

describe('two devices in one session', () => {
  it('keep all turns of both and the score of the finished one', async () => {
    const [one, two] = await twoDevices();
    const { sessionId } = await startPractice(one.ask, 'text');
    await untilNothingWaits(one, two);
    server.fail = 'sync.offline';
    const said = Array.from({ length: 10 }, (_, index) => (index === 9 ? LATE_REPLY : `bananas ${index}`));
    for (const text of said) await say(one, sessionId, text);
    const result = await one.ask.practice.finish({ sessionId });
    expect(result.status).toBe('completed');
    await say(two, sessionId, SORRY_REPLY);
    server.fail = null;
    await untilNothingWaits(one, two, one);

    for (const device of [one, two]) {
      expect(await wordsIn(device, sessionId)).toEqual([...said.map((text) => [text, 0]), [SORRY_REPLY, 1]]);
      const seen = await device.ask.practice.result({ sessionId });
      expect([seen.status, seen.overall, seen.summary]).toEqual(['completed', result.overall, result.summary]);
    }
    const [first, second] = [one, two].map(({ dataDir }) =>
      inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT entire_conversation FROM practice_history').pluck().get()),
    );
    expect(second).toBe(first);
  });

  it('continue with the turns of both', async () => {
    const [one, two] = await twoDevices();
    const { sessionId } = await startPractice(one.ask, 'text');
    await untilNothingWaits(one, two);
    server.fail = 'sync.offline';
    await say(one, sessionId, 'bananas on one');
    await say(two, sessionId, 'bananas on two');
    server.fail = null;
    await untilNothingWaits(one, two, one);
    await say(one, sessionId, 'bananas after');
    await untilNothingWaits(one, two);
    const words = (await wordsIn(two, sessionId)).map(([text]) => text);
    expect(new Set(words)).toEqual(new Set(['bananas after', 'bananas on one', 'bananas on two']));
    expect(words).toHaveLength(3);
    expect(words.at(-1)).toBe('bananas after');
    expect(await wordsIn(one, sessionId)).toEqual(await wordsIn(two, sessionId));
  });

  it('send each turn once', async () => {
    const [one] = await twoDevices();
    const { sessionId } = await startPractice(one.ask, 'text');
    for (let turn = 0; turn < 8; turn += 1) {
      await say(one, sessionId, `bananas ${turn}`);
      await untilNothingWaits(one);
    }
    const sent = JSON.stringify(server.pushed);
    for (let turn = 0; turn < 8; turn += 1) expect(sent.split(`bananas ${turn}`)).toHaveLength(2);
  });
});

describe('a turn that is said while the other device listens', () => {
  /** Says a turn on one device and waits until the other has received it, which shows that the other is listening. */
  async function listening(): Promise<[one: OpenHost, two: OpenHost, sessionId: SessionId]> {
    const [one, two] = await twoDevices();
    const { sessionId } = await startPractice(one.ask, 'text');
    await untilNothingWaits(one, two);
    await say(one, sessionId, 'bananas first');
    await untilHeard(two, sessionId, 'bananas first');
    await Promise.all([one.host.whenIdle(), two.host.whenIdle()]);
    return [one, two, sessionId];
  }

  const untilHeard = (device: OpenHost, sessionId: SessionId, text: string): Promise<void> =>
    expect
      .poll(async () => (await wordsIn(device, sessionId)).map(([said]) => said), { timeout: 10_000, interval: 5 })
      .toContain(text);

  it('arrives there without a request', async () => {
    const [one, two, sessionId] = await listening();
    server.requested = [];
    await say(one, sessionId, 'bananas second');
    await untilHeard(two, sessionId, 'bananas second');
    expect(server.requested).toContain('/v1/sync/push');
    expect(server.requested).not.toContain('/v1/sync/stream');
    expect(await wordsIn(two, sessionId)).toEqual(await wordsIn(one, sessionId));
    expect((await two.ask.sync.status()).lastSyncedAt).toEqual(serverClock.now());
  });

  it('comes with all that the other has missed', async () => {
    const [one, two, sessionId] = await listening();
    const user = inDatabase(one.dataDir, (sqlite) => sqlite.prepare('SELECT user_id FROM sync_state').pluck().get());
    const scope = `user:${String(user)}`;
    await server.execute(sql`update sync_scopes set version = version + 1 where scope = ${scope}`);
    // A row that no turn changes.
    await server.execute(sql`update users set first_name = 'Missed',
      sync_version = (select version from sync_scopes where scope = ${scope}) where user_id = ${user}`);
    await say(one, sessionId, 'bananas second');
    await untilHeard(two, sessionId, 'bananas second');
    const name = inDatabase(two.dataDir, (sqlite) => sqlite.prepare('SELECT first_name FROM users').pluck().get());
    expect(name).toBe('Missed');
  });
});

describe('a wrong clock', () => {
  it.each([
    ['two days ahead', 2 * DAY_MS],
    ['two days behind', -2 * DAY_MS],
  ])('%s neither wins nor loses conflicts', async (_name, offMs) => {
    const [wrong, right] = [aClock(NOW), aClock(NOW)];
    wrong.pass(offMs);
    const [one, two] = await twoDevices([wrong, right]);
    await untilNothingWaits(one, two);
    const passMinutes = (minutes: number): void =>
      [wrong, right, serverClock].forEach((clock) => clock.pass(minutes * 60_000));
    server.fail = 'sync.offline';
    passMinutes(10);
    await one.ask.settings.updateProfile({ firstName: 'Earlier', jobTitle: 'Earlier' });
    passMinutes(10);
    await two.ask.settings.updateProfile({ firstName: 'Later' });
    passMinutes(10);
    await one.ask.settings.updateProfile({ lastName: 'Latest' });
    await two.ask.settings.updateProfile({ jobTitle: 'Later' });
    server.fail = null;
    await untilNothingWaits(two, one, two);
    for (const device of [one, two])
      expect((await device.ask.settings.read()).profile).toMatchObject({
        firstName: 'Later',
        lastName: 'Latest',
        jobTitle: 'Later',
      });
  });
});

describe('a change on which the server fails', () => {
  it('is quarantined with its content and does not block others', async () => {
    const [one, two] = await twoDevices();
    await untilNothingWaits(one);
    server.fail = 'sync.offline';
    const poisoned = await startPractice(one.ask, 'text');
    const sessions = [poisoned, await startPractice(one.ask, 'text'), await startPractice(one.ask, 'text')];
    await say(one, poisoned.sessionId, 'a poisonous banana');
    server.failOnChange = (change) => JSON.stringify(change.fields).includes('poisonous');
    server.fail = null;
    await expect
      .poll(async () => await one.ask.sync.run(), { timeout: 20_000, interval: 5 })
      .toMatchObject({ state: 'idle', waiting: 0 });
    const refused = await one.ask.sync.rejected();
    expect(refused.map(({ table, code }) => [table, code])).toEqual([['ai_conversations', 'internal_error']]);
    expect(refused[0]?.fields).toMatchObject({ content: 'a poisonous banana' });
    await untilNothingWaits(two);
    for (const { sessionId } of sessions)
      expect((await two.ask.practice.session({ sessionId })).turns.length).toBeGreaterThan(0);
  });
});

describe('a row that this version cannot read', () => {
  it('is kept and counted, and shown once it is readable', async () => {
    const [one, two] = await twoDevices();
    const { sessionId } = await startPractice(one.ask, 'text');
    await untilNothingWaits(one);
    const setFeedback = async (feedback: string): Promise<void> => {
      const user = inDatabase(one.dataDir, (sqlite) => sqlite.prepare('SELECT user_id FROM sync_state').pluck().get());
      const scope = `user:${String(user)}`;
      await server.execute(sql`update sync_scopes set version = version + 1 where scope = ${scope}`);
      await server.execute(sql`update practice_history set feedback = ${feedback}::jsonb,
        sync_version = (select version from sync_scopes where scope = ${scope}) where id = ${sessionId}`);
    };
    await setFeedback('{"best": 5}');
    expect(await two.ask.sync.run()).toMatchObject({ state: 'idle', unread: 1 });
    await setFeedback('{"best": "a", "fix": "b", "nextStep": "c", "wordsToTrain": [], "stars": 5}');
    expect(await two.ask.sync.run()).toMatchObject({ state: 'idle', unread: 0 });
    const feedback = inDatabase(two.dataDir, (sqlite) =>
      sqlite.prepare('SELECT feedback FROM practice_history').pluck().get(),
    );
    // A field that a newer version added is kept.
    expect(JSON.parse(String(feedback))).toMatchObject({ best: 'a', stars: 5 });
  });
});
