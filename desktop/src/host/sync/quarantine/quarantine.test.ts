/** Changes on which the server fails with an internal error: when they are quarantined and when they are retried. */
import { LinkCode } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';

const HOUR_MS = 3_600_000;
const clock = aClock();
let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
beforeEach(() => {
  server.fail = null;
  server.failOnChange = null;
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function online(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function close(one: OpenHost): Promise<void> {
  opened = opened.filter((other) => other !== one);
  await one.host.close();
}

/** A second device of the same account. */
async function joinedTo(one: OpenHost): Promise<OpenHost> {
  const two = await online();
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  return two;
}

async function typeTurn({ ask }: OpenHost, text: string): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const wordsIn = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);

const isPoisonous: NonNullable<TestServer['failOnChange']> = (change) =>
  JSON.stringify(change.fields).includes('poisonous');

async function untilSynced({ ask }: OpenHost): Promise<void> {
  await expect
    .poll(async () => await ask.sync.run(), { timeout: 20_000, interval: 5 })
    .toMatchObject({ state: 'idle', waiting: 0 });
}

/** Takes a practice away, or brings it back, without the rows that refer to it. */
async function renamePractice(from: string, to: string): Promise<void> {
  await server.execute(sql`set session_replication_role = replica`);
  await server.execute(sql`update practices set practice_id = ${to} where practice_id = ${from}`);
  await server.execute(sql`set session_replication_role = origin`);
}

/** Syncs far more often than quarantining needs. */
async function syncRepeatedly({ ask }: OpenHost): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) await ask.sync.run();
}

describe('a failing server', () => {
  it.each([
    ['that fails on every request', () => (server.fail = 'internal')],
    ['that fails on every change but accepts an empty push', () => (server.failOnChange = () => true)],
  ])('%s quarantines nothing and receives everything later', async (_how, breakDown) => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessions = [await typeTurn(one, 'bananas'), await typeTurn(one, 'more bananas')];
    const waiting = readOutbox(one.dataDir).map(({ mutationId }) => mutationId);
    server.fail = null;
    breakDown();
    await syncRepeatedly(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    expect(readOutbox(one.dataDir).map(({ mutationId }) => mutationId)).toEqual(waiting);
    server.fail = null;
    server.failOnChange = null;
    await untilSynced(one);
    await untilSynced(two);
    expect(await Promise.all(sessions.map((id) => wordsIn(two, id)))).toEqual([['bananas'], ['more bananas']]);
  });

  it('that fails on two changes quarantines both and accepts the others', async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurn(one, 'a poisonous banana');
    await one.ask.practice.sendTyped({ sessionId, text: 'a poisonous apple', hintLevel: 0 });
    await one.ask.practice.sendTyped({ sessionId, text: 'a pear', hintLevel: 0 });
    server.fail = null;
    server.failOnChange = isPoisonous;
    await untilSynced(one);
    const refused = await one.ask.sync.rejected();
    expect(refused.map(({ code, fields }) => [code, fields['content']])).toEqual([
      ['internal_error', 'a poisonous banana'],
      ['internal_error', 'a poisonous apple'],
    ]);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['a pear']);
    expect(await wordsIn(one, sessionId)).toEqual(['a poisonous banana', 'a poisonous apple', 'a pear']);
  });

  it('whose database cannot store a new row for now quarantines nothing', async () => {
    const one = await online();
    const two = await joinedTo(one);
    const sessionId = await typeTurn(one, 'bananas');
    await untilSynced(one);
    server.fail = 'sync.offline';
    const later = await typeTurn(one, 'more bananas');
    server.fail = null;
    // On a full disk small updates still succeed, and so does the deletion by which a device tells that one change is to blame.
    await server.execute(sql`create function refuse_rows() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await server.execute(
      sql`create trigger refuse_rows before insert on practice_history for each row execute function refuse_rows()`,
    );
    try {
      await syncRepeatedly(one);
      expect(await one.ask.sync.status()).toMatchObject({ state: 'offline', rejected: 0 });
    } finally {
      await server.execute(sql`drop function refuse_rows cascade`);
    }
    await untilSynced(one);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['bananas']);
    expect(await wordsIn(two, later)).toEqual(['more bananas']);
  });

  it("that loses the probe's response loses no change", async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurn(one, 'a poisonous banana');
    server.fail = null;
    let lost = 0;
    server.failOnChange = (change) => {
      if (change.op === 'delete' && lost === 0) {
        lost += 1;
        server.fail = 'drop';
      }
      return isPoisonous(change);
    };
    while (lost === 0) await one.ask.sync.run();
    expect(await one.ask.sync.rejected()).toEqual([]);
    server.fail = null;
    server.failOnChange = null;
    await untilSynced(one);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['a poisonous banana']);
  });
});

describe('a quarantined change', () => {
  /** Quarantines one turn of a session. */
  async function quarantineOnce(options: Parameters<typeof openHost>[0] = {}) {
    const one = await online(options);
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurn(one, 'a poisonous banana');
    server.fail = null;
    server.failOnChange = isPoisonous;
    await untilSynced(one);
    expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    server.failOnChange = null;
    return { one, two, sessionId };
  }

  async function expectArrival(from: OpenHost, to: OpenHost, sessionId: string): Promise<void> {
    await untilSynced(from);
    expect(await from.ask.sync.rejected()).toEqual([]);
    await untilSynced(to);
    expect(await wordsIn(to, sessionId)).toEqual(['a poisonous banana']);
    expect(await wordsIn(from, sessionId)).toEqual(['a poisonous banana']);
  }

  it('is retried when the server has a new version', async () => {
    const { one, two, sessionId } = await quarantineOnce();
    await server.upgrade('1.0.1');
    await expectArrival(one, two, sessionId);
  });

  it('is retried by a new version of the app', async () => {
    const { one, two, sessionId } = await quarantineOnce({ version: '1.0.0' });
    await close(one);
    const updated = await online({ dataDir: one.dataDir, version: '1.0.1' });
    await expectArrival(updated, two, sessionId);
  });

  it('is retried a day later, without a new version', async () => {
    const { one, two, sessionId } = await quarantineOnce();
    await close(one);
    clock.pass(23 * HOUR_MS);
    const same = await online({ dataDir: one.dataDir });
    await untilSynced(same);
    expect(await same.ask.sync.rejected()).toHaveLength(1);
    await close(same);
    clock.pass(HOUR_MS);
    await expectArrival(await online({ dataDir: one.dataDir }), two, sessionId);
  });

  it('is retried once a day as long as the server fails on it', { tags: ['slow'] }, async () => {
    const { one } = await quarantineOnce();
    let tries = 0;
    server.failOnChange = (change) => {
      if (isPoisonous(change)) tries += 1;
      return isPoisonous(change);
    };
    await close(one);
    clock.pass(24 * HOUR_MS);
    const same = await online({ dataDir: one.dataDir });
    await untilSynced(same);
    const triesOfOneDay = tries;
    expect(triesOfOneDay).toBeGreaterThan(0);
    await syncRepeatedly(same);
    await close(same);
    await untilSynced(await online({ dataDir: one.dataDir }));
    expect(tries).toBe(triesOfOneDay);
  });

  it('that refers to a practice which a restored server lacks is retried when the practice is back', async () => {
    const one = await online();
    const two = await joinedTo(one);
    await untilSynced(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurn(one, 'bananas');
    server.fail = null;
    const absent = crypto.randomUUID();
    await renamePractice(LATE_DELIVERY, absent);
    try {
      await untilSynced(one);
      const rejected = await one.ask.sync.rejected();
      expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['missing_reference']));
    } finally {
      await renamePractice(absent, LATE_DELIVERY);
    }
    // An import writes its rows under a new version of the catalogue.
    await server.execute(sql`update sync_scopes set version = version + 1 where scope = 'catalogue'`);
    await server.execute(sql`update practices set sync_version = (select version from sync_scopes where scope = 'catalogue')
      where practice_id = ${LATE_DELIVERY}`);
    await untilSynced(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['bananas']);
  });

  it('is retried once per version and not without a new version', { tags: ['slow'] }, async () => {
    const { one } = await quarantineOnce({ version: '1.0.0' });
    let tries = 0;
    server.failOnChange = (change) => {
      if (isPoisonous(change)) tries += 1;
      return isPoisonous(change);
    };
    await close(one);
    const same = await online({ dataDir: one.dataDir, version: '1.0.0' });
    await untilSynced(same);
    expect(tries).toBe(0);
    await server.upgrade('1.0.2');
    await untilSynced(same);
    const triesOfOneVersion = tries;
    expect(triesOfOneVersion).toBeGreaterThan(0);
    expect(await same.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    await same.ask.settings.updateProfile({ firstName: 'Ana' });
    await untilSynced(same);
    expect(tries).toBe(triesOfOneVersion);
  });

  it('brings back the changes that depend on it', { tags: ['slow'] }, async () => {
    const one = await online();
    const two = await joinedTo(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurn(one, 'bananas');
    server.fail = null;
    // The probe deletes a missing row of the same table, so deletions must succeed.
    server.failOnChange = ({ table, op }) => table === 'practice_history' && op !== 'delete';
    await untilSynced(one);
    expect(new Set((await one.ask.sync.rejected()).map(({ code }) => code))).toEqual(
      new Set(['internal_error', 'missing_reference']),
    );
    server.failOnChange = null;
    await server.upgrade('1.0.3');
    await untilSynced(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    await untilSynced(two);
    expect(await wordsIn(two, sessionId)).toEqual(['bananas']);
  });

  it('does not undo later changes', async () => {
    const one = await online();
    const two = await joinedTo(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner', firstName: 'Ana' });
    await untilSynced(one);
    await one.ask.settings.updateProfile({ jobTitle: 'A poisonous title', lastName: 'Novak' });
    server.failOnChange = isPoisonous;
    await untilSynced(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await untilSynced(one);
    server.failOnChange = null;
    await server.upgrade('1.0.4');
    await untilSynced(one);
    await untilSynced(two);
    expect(await one.ask.sync.rejected()).toEqual([]);
    const expected = { jobTitle: 'Nurse', firstName: 'Ana', lastName: 'Novak' };
    for (const { ask } of [one, two]) expect((await ask.settings.read()).profile).toMatchObject(expected);
  });
});
