/**
 * Changes that the server has refused, or failed on, and that are sent again every day: how often, and in which order.
 */
import type { Mutation } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, untilNothingWaits, typeTurns } from '../../test-kit/devices.ts';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';

const DAY_MS = 24 * 3_600_000;
const clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeEach(async () => {
  server = await startServer({ now: clock.now });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

/** A running app retries hourly by a clock that tests cannot control; a new one retries at startup. */
async function reopenNextDay(one: OpenHost): Promise<OpenHost> {
  await devices.close(one);
  clock.pass(DAY_MS);
  return devices.open({ dataDir: one.dataDir });
}

/** Removes a practice, or restores it, without the rows that refer to it. */
async function renamePractice(from: string, to: string): Promise<void> {
  await server.execute(sql`set session_replication_role = replica`);
  await server.execute(sql`update practices set practice_id = ${to} where practice_id = ${from}`);
  await server.execute(sql`set session_replication_role = origin`);
}

const contentsOnServer = async (): Promise<unknown[]> =>
  (await server.read(sql`select content from ai_conversations where role = 'learner' order by content`)).map(
    ({ content }) => content,
  );

describe('changes refused because a course is missing', () => {
  /** Two finished sessions that the server does not have. */
  async function refuseTwo(): Promise<{ one: OpenHost; first: string; second: string; absent: string }> {
    const one = await devices.open();
    await untilNothingWaits(one);
    server.fail = 'sync.offline';
    const first = await typeTurns(one, 'bananas');
    await one.ask.practice.finish({ sessionId: first });
    const second = await typeTurns(one, 'more bananas');
    await one.ask.practice.finish({ sessionId: second });
    const absent = crypto.randomUUID();
    await renamePractice(LATE_DELIVERY, absent);
    server.fail = null;
    await untilNothingWaits(one);
    expect(new Set((await one.ask.sync.rejected()).map(({ code }) => code))).toEqual(new Set(['missing_reference']));
    return { one, first, second, absent };
  }

  const pushesOfRefused = (): number => server.pushed.filter((changes) => changes.length > 0).length;

  /** Disconnects the device if it pushes endlessly. */
  const stopEndlessPushes = (): void => {
    server.failOn = (path) => (path === '/v1/sync/push' && pushesOfRefused() > 20 ? 'sync.offline' : null);
  };

  it('are sent once a day, even when one of the sessions has been deleted', async () => {
    const { one, first, second, absent } = await refuseTwo();
    await one.ask.history.remove({ sessionId: first });
    await untilNothingWaits(one);
    expect(await one.ask.sync.rejected()).not.toEqual([]);
    server.pushed = [];
    stopEndlessPushes();
    const nextDay = await reopenNextDay(one);
    await untilNothingWaits(nextDay);
    expect(pushesOfRefused()).toBe(1);
    // Changes that refer to the refused session wait for it.
    expect(server.pushed.flat().map(({ rowId }) => rowId)).toContain(second);
    await devices.close(nextDay);
    const sameDay = await devices.open({ dataDir: one.dataDir });
    await untilNothingWaits(sameDay);
    await untilNothingWaits(sameDay);
    expect(pushesOfRefused()).toBe(1);

    await renamePractice(absent, LATE_DELIVERY);
    const lastDay = await reopenNextDay(sameDay);
    await untilNothingWaits(lastDay);
    expect(await contentsOnServer()).toEqual(['more bananas']);
  });
});

describe('changes on which the server fails', () => {
  const isPoisonous = (change: Mutation): boolean => JSON.stringify(change.fields).includes('poisonous');
  const TEXTS = ['a poisonous apple', 'a poisonous banana', 'a poisonous cherry'];
  const poisonTried = (): Set<string> =>
    new Set(
      server.pushed
        .flat()
        .filter(isPoisonous)
        .map(({ rowId }) => rowId),
    );

  async function setAsideThree(): Promise<OpenHost> {
    const one = await devices.open();
    await untilNothingWaits(one);
    server.failOnChange = isPoisonous;
    for (const text of TEXTS) await typeTurns(one, text);
    await untilNothingWaits(one);
    expect((await one.ask.sync.rejected()).map(({ code }) => code)).toEqual(TEXTS.map(() => 'internal_error'));
    return one;
  }

  it('are retried one a day, in order, after new practice', { timeout: 60_000 }, async () => {
    let one = await setAsideThree();
    const tried = new Set<string>();
    for (const day of ['a pear', 'a plum', 'a quince']) {
      await devices.close(one);
      clock.pass(DAY_MS);
      server.fail = 'sync.offline';
      one = await devices.open({ dataDir: one.dataDir });
      await typeTurns(one, day);
      server.fail = null;
      server.pushed = [];
      await untilNothingWaits(one);
      const firstPoison = server.pushed.findIndex((changes) => changes.some(isPoisonous));
      const practice = server.pushed.findIndex((changes) => JSON.stringify(changes).includes(day));
      expect(practice).toBeLessThan(firstPoison);
      expect(poisonTried().size).toBe(1);
      for (const rowId of poisonTried()) tried.add(rowId);
    }
    expect(tried.size).toBe(TEXTS.length);
    expect(await contentsOnServer()).toEqual(['a pear', 'a plum', 'a quince']);
  });

  it('all arrive on the day on which the server accepts the first', async () => {
    const one = await setAsideThree();
    server.failOnChange = null;
    const nextDay = await reopenNextDay(one);
    await untilNothingWaits(nextDay);
    expect(await nextDay.ask.sync.rejected()).toEqual([]);
    expect(await contentsOnServer()).toEqual(TEXTS);
  });

  it('are all retried, one by one, by another version', { timeout: 60_000 }, async () => {
    const one = await setAsideThree();
    server.pushed = [];
    await server.upgrade('1.0.1');
    await untilNothingWaits(one);
    expect(poisonTried().size).toBe(TEXTS.length);
    for (const changes of server.pushed) expect(changes.filter(isPoisonous).length).toBeLessThan(2);
    server.pushed = [];
    await untilNothingWaits(one);
    expect(poisonTried().size).toBe(0);
  });
});
