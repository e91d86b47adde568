/** Changes on which the server fails with an internal error: when they are quarantined and when they are retried. */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, untilNothingWaits, typeTurns, learnerTexts } from '../../test-kit/devices.ts';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';

const HOUR_MS = 3_600_000;
const clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
beforeEach(() => {
  server.fail = null;
  server.failOnChange = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

const isPoisonous: NonNullable<TestServer['failOnChange']> = (change) =>
  JSON.stringify(change.fields).includes('poisonous');

/** Removes a practice, or restores it, without the rows that refer to it. */
async function renamePractice(from: string, to: string): Promise<void> {
  await server.execute(sql`set session_replication_role = replica`);
  await server.execute(sql`update practices set practice_id = ${to} where practice_id = ${from}`);
  await server.execute(sql`set session_replication_role = origin`);
}

/** Syncs far more often than quarantining takes. */
async function syncRepeatedly({ ask }: OpenHost): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) await ask.sync.run();
}

describe('a failing server', () => {
  it.each([
    ['that fails on every request', () => (server.fail = 'internal')],
    ['that fails on every change but accepts an empty push', () => (server.failOnChange = () => true)],
  ])('%s quarantines nothing and receives everything later', async (_how, breakDown) => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    server.fail = 'sync.offline';
    const sessions = [await typeTurns(one, 'bananas'), await typeTurns(one, 'more bananas')];
    const waiting = readOutbox(one.dataDir).map(({ mutationId }) => mutationId);
    server.fail = null;
    breakDown();
    await syncRepeatedly(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    expect(readOutbox(one.dataDir).map(({ mutationId }) => mutationId)).toEqual(waiting);
    server.fail = null;
    server.failOnChange = null;
    await untilNothingWaits(one);
    await untilNothingWaits(two);
    expect(await Promise.all(sessions.map((id) => learnerTexts(two, id)))).toEqual([['bananas'], ['more bananas']]);
  });

  it('that fails on two changes quarantines both and accepts the others', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurns(one, 'a poisonous banana');
    await one.ask.practice.sendTyped({ sessionId, text: 'a poisonous apple', hintLevel: 0 });
    await one.ask.practice.sendTyped({ sessionId, text: 'a pear', hintLevel: 0 });
    server.fail = null;
    server.failOnChange = isPoisonous;
    await untilNothingWaits(one);
    const refused = await one.ask.sync.rejected();
    expect(refused.map(({ code, fields }) => [code, fields['content']])).toEqual([
      ['internal_error', 'a poisonous banana'],
      ['internal_error', 'a poisonous apple'],
    ]);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['a pear']);
    expect(await learnerTexts(one, sessionId)).toEqual(['a poisonous banana', 'a poisonous apple', 'a pear']);
  });

  it('whose database cannot store a new row for now quarantines nothing', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const sessionId = await typeTurns(one, 'bananas');
    await untilNothingWaits(one);
    server.fail = 'sync.offline';
    const later = await typeTurns(one, 'more bananas');
    // On a full disk, small updates still succeed, and so does the deletion with which a device finds out whether a
    // single change is to blame.
    await server.execute(sql`create function refuse_rows() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await server.execute(
      sql`create trigger refuse_rows before insert on practice_history for each row execute function refuse_rows()`,
    );
    // Only here, because otherwise a retry in the background could send the session before the trigger exists.
    server.fail = null;
    try {
      await syncRepeatedly(one);
      expect(await one.ask.sync.status()).toMatchObject({ state: 'offline', rejected: 0 });
    } finally {
      await server.execute(sql`drop function refuse_rows cascade`);
    }
    await untilNothingWaits(one);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['bananas']);
    expect(await learnerTexts(two, later)).toEqual(['more bananas']);
  });

  it("that loses the probe's response loses no change", async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurns(one, 'a poisonous banana');
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
    await untilNothingWaits(one);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['a poisonous banana']);
  });
});

describe('a quarantined change', () => {
  /** Quarantines one turn of a session. */
  async function quarantineOnce(options: Parameters<typeof openHost>[0] = {}) {
    const one = await devices.open(options);
    const two = await devices.openJoined(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurns(one, 'a poisonous banana');
    server.fail = null;
    server.failOnChange = isPoisonous;
    await untilNothingWaits(one);
    expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    server.failOnChange = null;
    return { one, two, sessionId };
  }

  async function expectArrival(from: OpenHost, to: OpenHost, sessionId: string): Promise<void> {
    await untilNothingWaits(from);
    expect(await from.ask.sync.rejected()).toEqual([]);
    await untilNothingWaits(to);
    expect(await learnerTexts(to, sessionId)).toEqual(['a poisonous banana']);
    expect(await learnerTexts(from, sessionId)).toEqual(['a poisonous banana']);
  }

  it('is retried when the server has a new version', async () => {
    const { one, two, sessionId } = await quarantineOnce();
    await server.upgrade('1.0.1');
    await expectArrival(one, two, sessionId);
  });

  it('is retried by a new version of the app', async () => {
    const { one, two, sessionId } = await quarantineOnce({ version: '1.0.0' });
    await devices.close(one);
    const updated = await devices.open({ dataDir: one.dataDir, version: '1.0.1' });
    await expectArrival(updated, two, sessionId);
  });

  it('is retried a day later, without a new version', async () => {
    const { one, two, sessionId } = await quarantineOnce();
    await devices.close(one);
    clock.pass(23 * HOUR_MS);
    const same = await devices.open({ dataDir: one.dataDir });
    await untilNothingWaits(same);
    expect(await same.ask.sync.rejected()).toHaveLength(1);
    await devices.close(same);
    clock.pass(HOUR_MS);
    await expectArrival(await devices.open({ dataDir: one.dataDir }), two, sessionId);
  });

  it('is retried once a day as long as the server fails on it', { tags: ['slow'] }, async () => {
    const { one } = await quarantineOnce();
    let tries = 0;
    server.failOnChange = (change) => {
      if (isPoisonous(change)) tries += 1;
      return isPoisonous(change);
    };
    await devices.close(one);
    clock.pass(24 * HOUR_MS);
    const same = await devices.open({ dataDir: one.dataDir });
    await untilNothingWaits(same);
    const triesOfOneDay = tries;
    expect(triesOfOneDay).toBeGreaterThan(0);
    await syncRepeatedly(same);
    await devices.close(same);
    await untilNothingWaits(await devices.open({ dataDir: one.dataDir }));
    expect(tries).toBe(triesOfOneDay);
  });

  it('that refers to a practice which a restored server lacks is retried when the practice is back', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await untilNothingWaits(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurns(one, 'bananas');
    const absent = crypto.randomUUID();
    await renamePractice(LATE_DELIVERY, absent);
    server.fail = null;
    try {
      await untilNothingWaits(one);
      const rejected = await one.ask.sync.rejected();
      expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['missing_reference']));
    } finally {
      await renamePractice(absent, LATE_DELIVERY);
    }
    // An import writes its rows under a new version of the catalogue.
    await server.execute(sql`update sync_scopes set version = version + 1 where scope = 'catalogue'`);
    await server.execute(sql`update practices set sync_version = (select version from sync_scopes where scope = 'catalogue')
      where practice_id = ${LATE_DELIVERY}`);
    await untilNothingWaits(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['bananas']);
  });

  it('is retried once per version and not without a new version', { tags: ['slow'] }, async () => {
    const { one } = await quarantineOnce({ version: '1.0.0' });
    let tries = 0;
    server.failOnChange = (change) => {
      if (isPoisonous(change)) tries += 1;
      return isPoisonous(change);
    };
    await devices.close(one);
    const same = await devices.open({ dataDir: one.dataDir, version: '1.0.0' });
    await untilNothingWaits(same);
    expect(tries).toBe(0);
    await server.upgrade('1.0.2');
    await untilNothingWaits(same);
    const triesOfOneVersion = tries;
    expect(triesOfOneVersion).toBeGreaterThan(0);
    expect(await same.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    await same.ask.settings.updateProfile({ firstName: 'Ana' });
    await untilNothingWaits(same);
    expect(tries).toBe(triesOfOneVersion);
  });

  it('brings back the changes that depend on it', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    server.fail = 'sync.offline';
    const sessionId = await typeTurns(one, 'bananas');
    server.fail = null;
    // The probe deletes a missing row of the same table, so deletions must succeed.
    server.failOnChange = ({ table, op }) => table === 'practice_history' && op !== 'delete';
    await untilNothingWaits(one);
    expect(new Set((await one.ask.sync.rejected()).map(({ code }) => code))).toEqual(
      new Set(['internal_error', 'missing_reference']),
    );
    server.failOnChange = null;
    await server.upgrade('1.0.3');
    await untilNothingWaits(one);
    expect(await one.ask.sync.rejected()).toEqual([]);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['bananas']);
  });

  it('does not undo later changes', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner', firstName: 'Ana' });
    await untilNothingWaits(one);
    server.failOnChange = isPoisonous;
    await one.ask.settings.updateProfile({ jobTitle: 'A poisonous title', lastName: 'Novak' });
    await untilNothingWaits(one);
    expect(await one.ask.sync.rejected()).toMatchObject([{ code: 'internal_error' }]);
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await untilNothingWaits(one);
    server.failOnChange = null;
    await server.upgrade('1.0.4');
    await untilNothingWaits(one);
    await untilNothingWaits(two);
    expect(await one.ask.sync.rejected()).toEqual([]);
    const expected = { jobTitle: 'Nurse', firstName: 'Ana', lastName: 'Novak' };
    for (const { ask } of [one, two]) expect((await ask.settings.read()).profile).toMatchObject(expected);
  });
});
