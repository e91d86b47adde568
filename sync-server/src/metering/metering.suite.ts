import { randomUUID } from 'node:crypto';
import { nextLocalDay, type PlanType } from '@parley/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { START_MS } from '../test-kit/server.ts';
import { readAllowance } from './allowance.ts';
import { type CallEnd, createLeases, type Leases, SIGN_OF_LIFE_MS } from './leases.ts';
import { usedSeconds } from './ledger.ts';

const BERLIN = 'Europe/Berlin';
const DAY_MS = 24 * 3_600_000;
const FREE = { plan: 'FREE', periodStart: null } as const;

export function meteringSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);
  let plan: PlanType;
  let leases: Leases;
  let sessionId: string;
  beforeEach(() => {
    plan = 'FREE';
    sessionId = randomUUID();
    const { server } = home;
    // Each test on a day of its own, at the same hour: what one used is not another's.
    server.pass(2 * DAY_MS - ((server.now().getTime() - START_MS) % DAY_MS));
    const periodStart = server.now();
    leases = createLeases({
      db: server.database.db,
      now: server.now,
      counts: true,
      planOf: async () => ({ plan, periodStart: plan === 'FREE' ? null : periodStart }),
    });
  });

  const take = (device = home.laptop, wish: Partial<Parameters<Leases['take']>[1]> = {}) =>
    leases.take(device, { sessionId, style: 'turn_based', timeZone: BERLIN, takeOver: false, ...wish });
  const talkFor = async (minutes: number, wish: Parameters<typeof take>[1] = {}): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await take(home.laptop, wish);
      await hear();
      home.server.pass(60_000);
    }
  };
  /** The server puts so much of the learner's speech into words. */
  const hear = async (seconds = 1, device = home.laptop): Promise<void> =>
    (await leases.require(device, sessionId)).heard(seconds);
  const passToBeforeMidnight = (ms: number): void => {
    const now = home.server.now();
    home.server.pass(nextLocalDay(now, BERLIN).getTime() - now.getTime() - ms);
  };
  const release = (device = home.laptop) => leases.release(device, sessionId);
  const endCall = (end: Partial<CallEnd> = {}) =>
    leases.endCall(home.laptop, {
      sessionId,
      since: home.server.now(),
      servedUntil: home.server.now(),
      spokenS: 40,
      outcome: 'ended',
      ...end,
    });
  const leftS = async (): Promise<number | null> => (await take()).remainingS;

  describe('live conversation', () => {
    it('on a free plan lasts ten minutes a day, and begins anew at the learner’s midnight', async () => {
      await talkFor(10);
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      await release();
      // 2026-11-20 10:10 UTC is 11:10 in Berlin: midnight is in 12 hours and 50 minutes.
      home.server.pass((12 * 60 + 49) * 60_000);
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      home.server.pass(60_000);
      expect(await leftS()).toBe(600);
    });

    it('is counted while it goes on, and never beyond what was leased', async () => {
      await take();
      await hear();
      home.server.pass(40_000);
      expect(await leftS()).toBe(560);
      // The device is gone, for a day and longer than its minute.
      home.server.pass(10 * 60_000);
      await release();
      expect(await leftS()).toBe(500);
    });

    it('that is used up is counted to its end, and told of, before the next minute is refused', async () => {
      const { server } = home;
      const told: number[] = [];
      const left = () =>
        readAllowance(server.database.db, { ...FREE, userId: home.laptop.userId, timeZone: BERLIN, now: server.now() });
      leases = createLeases({
        db: server.database.db,
        now: server.now,
        counts: true,
        planOf: async () => FREE,
        counted: async (tx, userId) => {
          const used = await usedSeconds(tx, userId, { since: new Date(server.now().getTime() - 3_600_000) });
          return () => void told.push(used.liveS);
        },
      });
      await talkFor(9);
      await take();
      await hear();
      server.pass(60_400);
      told.length = 0;
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      expect(told).toEqual([600]);
      expect(await left()).toMatchObject({ turn_based: 0 });
      // Asking again, and leaving, counts nothing twice.
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      await release();
      expect(await left()).toMatchObject({ turn_based: 0 });
      expect(told).toEqual([600, 600, 600]);
    });

    it('costs nothing where the server put no speech into words', async () => {
      for (let minute = 0; minute < 3; minute += 1) {
        await take();
        home.server.pass(60_000);
      }
      await release();
      expect(await leftS()).toBe(600);
    });

    it('costs nothing when a device vanishes before it was heard', async () => {
      await take();
      home.server.pass(10 * 60_000);
      expect(await leftS()).toBe(600);
    });

    it('costs its time however little of it was speech', async () => {
      await talkFor(3);
      await release();
      expect(await leftS()).toBe(420);
    });

    it('costs at least what was heard of it, however fast an edited app sends its sound', async () => {
      await take();
      for (let turns = 0; turns < 3; turns += 1) await hear(100);
      home.server.pass(10_000);
      await release();
      expect(await leftS()).toBe(300);
      await take();
      await hear(290);
      await expect(hear(290)).resolves.toBeUndefined();
      await expect(hear(1)).rejects.toMatchObject({ code: 'quota.out' });
    });

    it('is counted too where the device lets go of it before it was heard', async () => {
      await take();
      const meter = await leases.require(home.laptop, sessionId);
      await release();
      await meter.heard(90);
      expect(await leftS()).toBe(510);
    });

    it('is given back from the last speech on where speech fails', async () => {
      await take();
      home.server.pass(20_000);
      await hear(15);
      const meter = await leases.require(home.laptop, sessionId);
      home.server.pass(30_000);
      await meter.failed();
      await release();
      expect(await leftS()).toBe(580);
      // What an edited app does on purpose gives back nothing that was heard.
      await take();
      await hear(50);
      home.server.pass(5_000);
      await (await leases.require(home.laptop, sessionId)).failed();
      await release();
      expect(await leftS()).toBe(530);
    });

    it('is given back where a call fails, but nothing of what was talked before', async () => {
      await talkFor(3);
      await release();
      const since = home.server.now();
      for (let minute = 0; minute < 2; minute += 1) {
        await take(home.laptop, { line: 'begins' });
        home.server.pass(60_000);
      }
      await endCall({ since, spokenS: 0, outcome: 'failed' });
      expect(await leftS()).toBe(420);
    });

    it('is given back once, however often the end is told', async () => {
      await talkFor(2);
      await release();
      sessionId = randomUUID();
      await take();
      home.server.pass(60_000);
      await Promise.all([release(), release(), release()]);
      await release();
      expect(await leftS()).toBe(480);
    });

    it('over midnight uses up of each day what was talked in it', async () => {
      passToBeforeMidnight(20_000);
      await take();
      await hear();
      home.server.pass(60_000);
      expect(await leftS()).toBe(600 - 40);
    });

    it('is given back to the day that gave it', async () => {
      passToBeforeMidnight(2 * 60_000);
      for (let minute = 0; minute < 5; minute += 1) {
        await take();
        home.server.pass(60_000);
      }
      await release();
      expect(await leftS()).toBe(600);
      await talkFor(2);
      expect(await leftS()).toBe(480);
    });

    it('cannot be had for nothing by asking again every moment', async () => {
      await take();
      await hear();
      for (let moment = 0; moment < 50; moment += 1) {
        await take();
        home.server.pass(400);
      }
      expect(await leftS()).toBe(580);
    });

    it('of a call whose server died is not counted for the time until it is taken up again', async () => {
      const { server } = home;
      await take(home.laptop, { line: 'begins' });
      for (let looks = 0; looks < 7; looks += 1) {
        server.pass(SIGN_OF_LIFE_MS);
        await leases.keep(home.laptop, sessionId);
      }
      server.pass(30_000);
      const begun = createLeases({ db: server.database.db, now: server.now, counts: true, planOf: async () => FREE });
      const wish = { sessionId, style: 'turn_based', timeZone: BERLIN, takeOver: false } as const;
      const { remainingS } = await begun.take(home.laptop, { ...wish, line: 'begins' });
      expect(remainingS).toBe(600 - 21 - 5);
      server.pass(10_000);
      expect(await begun.take(home.laptop, { ...wish, line: 'lives' })).toMatchObject({
        remainingS: 600 - 21 - 5 - 10,
      });
      // Nor where the device asks for something else of its conversation, or ends it by itself, while no line lives.
      server.pass(30_000);
      expect(await begun.take(home.laptop, wish)).toMatchObject({ remainingS: 600 - 21 - 5 - 10 - 5 });
      await begun.take(home.laptop, { ...wish, line: 'begins' });
      server.pass(40_000);
      await begun.release(home.laptop, sessionId);
      expect(await leftS()).toBe(600 - 21 - 5 - 10 - 5 - 5);
    });

    it('of a call that ends on its own line is counted to its end', async () => {
      await take(home.laptop, { line: 'begins' });
      home.server.pass(20_000);
      await endCall();
      expect(await leftS()).toBe(580);
    });

    it('of a call is neither ended nor made cheaper by another request of its device while its line lives', async () => {
      plan = 'PLUS';
      await take(home.laptop, { line: 'begins', style: 'ultra_realistic' });
      for (let looks = 0; looks < 10; looks += 1) {
        home.server.pass(SIGN_OF_LIFE_MS);
        await leases.keep(home.laptop, sessionId);
        await release();
        await take(home.laptop, { takeOver: true });
      }
      await endCall({ since: new Date(home.server.now().getTime() - 30_000) });
      expect((await take(home.laptop, { style: 'ultra_realistic' })).remainingS).toBe(3_600 - 30);
    });

    it('of a call is given back where it was short and nothing was said', async () => {
      const call = async (seconds: number, end: Partial<CallEnd>): Promise<void> => {
        const since = home.server.now();
        await take(home.laptop, { line: 'begins' });
        home.server.pass(seconds * 1_000);
        await endCall({ since, ...end });
      };
      await call(29, { spokenS: 0 });
      expect(await leftS()).toBe(600);
      await release();
      // Piece by piece it is not short.
      await call(29, { spokenS: 0 });
      expect(await leftS()).toBe(571);
      await release();
      sessionId = randomUUID();
      await call(29, { spokenS: 1 });
      expect(await leftS()).toBe(542);
      await release();
      sessionId = randomUUID();
      await call(30, { spokenS: 0 });
      expect(await leftS()).toBe(512);
    });

    it('of a call that the network dropped at its beginning is forgiven, but no more than three times a day', async () => {
      for (let call = 1; call <= 5; call += 1) {
        sessionId = randomUUID();
        const since = home.server.now();
        await take(home.laptop, { line: 'begins' });
        home.server.pass(20_000);
        await endCall({ since, spokenS: 10, outcome: 'dropped' });
      }
      expect(await leftS()).toBe(600 - 2 * 20);
    });

    it('of a call is not counted after the moment until which it was served', async () => {
      const since = home.server.now();
      await take(home.laptop, { line: 'begins' });
      home.server.pass(50_000);
      const servedUntil = home.server.now();
      home.server.pass(8_000);
      await take(home.laptop, { line: 'lives' });
      home.server.pass(10_000);
      await endCall({ since, servedUntil, outcome: 'dropped' });
      expect(await leftS()).toBe(550);
    });

    it('cannot be had for nothing by opening one line after the other', async () => {
      for (let line = 0; line < 20; line += 1) {
        await take(home.laptop, { line: 'begins' });
        home.server.pass(1_700);
      }
      expect(await leftS()).toBe(600 - 34);
    });

    it.each([
      ['counts from there on', false, 35],
      ['gives back what it took from there on', true, 0],
    ])('of a paid plan over the beginning of its period %s', async (_what, fails, countedS) => {
      plan = 'PLUS';
      const { server } = home;
      const startsAt = new Date(server.now().getTime() + 25_000);
      leases = createLeases({
        db: server.database.db,
        now: server.now,
        counts: true,
        planOf: async () => ({ plan, periodStart: server.now() < startsAt ? server.now() : startsAt }),
      });
      await take();
      await hear();
      if (fails) await (await leases.require(home.laptop, sessionId)).failed();
      server.pass(60_000);
      expect(await leftS()).toBe(36_000 - countedS);
    });

    it('is held on one device, until it moves to another', async () => {
      await take();
      await expect(take(home.phone, { sessionId: randomUUID() })).rejects.toMatchObject({ code: 'live.elsewhere' });
      await leases.require(home.laptop, sessionId);
      await take(home.phone, { takeOver: true });
      await leases.require(home.phone, sessionId);
      await expect(leases.require(home.laptop, sessionId)).rejects.toMatchObject({ code: 'live.elsewhere' });
      // A device that lost it does not end it for the other.
      await release();
      await leases.require(home.phone, sessionId);
    });

    it('of another learner is no concern of theirs', async () => {
      await take();
      await expect(
        leases.take(home.stranger, { sessionId, style: 'turn_based', timeZone: BERLIN, takeOver: true }),
      ).resolves.toMatchObject({ remainingS: 600 });
      await leases.require(home.laptop, sessionId);
    });

    it('ends with a minute for goodbye', async () => {
      await talkFor(9);
      await take();
      home.server.pass(60_000 + 59_000);
      await leases.require(home.laptop, sessionId);
      home.server.pass(2_000);
      await expect(leases.require(home.laptop, sessionId)).rejects.toMatchObject({ code: 'quota.out' });
    });

    it.each<[PlanType, number]>([
      ['FREE', 0],
      ['TRIALING', 30],
      ['PLUS', 60],
      ['PRO', 600],
    ])('on %s is ultra-realistic for %i minutes', async (tried, minutes) => {
      plan = tried;
      const asked = take(home.laptop, { style: 'ultra_realistic' });
      if (minutes === 0) await expect(asked).rejects.toMatchObject({ code: 'quota.out' });
      else expect(await asked).toMatchObject({ remainingS: minutes * 60 });
    });

    it('of a paid plan is counted since its period began, ultra-realistic minutes among the others', async () => {
      plan = 'PLUS';
      await talkFor(2, { style: 'ultra_realistic' });
      expect(await leftS()).toBe(36_000 - 120);
      expect(await take(home.laptop, { style: 'ultra_realistic' })).toMatchObject({ remainingS: 3_600 - 120 });
    });

    it('is not counted where nobody pays for it', async () => {
      const { server } = home;
      const free = createLeases({
        db: server.database.db,
        now: server.now,
        counts: false,
        planOf: async () => ({ plan: 'FREE', periodStart: null }),
      });
      for (let minute = 0; minute < 12; minute += 1) {
        const lease = await free.take(home.laptop, {
          sessionId,
          style: 'ultra_realistic',
          timeZone: BERLIN,
          takeOver: false,
        });
        expect(lease.remainingS).toBeNull();
        server.pass(60_000);
      }
      await free.require(home.phone, sessionId);
    });

    it('is refused for a time zone that there is not', async () => {
      await expect(take(home.laptop, { timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ code: 'request.invalid' });
    });
  });

  describe('the ledger', () => {
    it('sums no other learner’s minutes', async () => {
      await talkFor(1);
      await release();
      const { db } = home.server.database;
      const since = new Date(home.server.now().getTime() - 3_600_000);
      expect(await usedSeconds(db, home.laptop.userId, { since })).toEqual({ liveS: 60, realisticS: 0 });
      expect(await usedSeconds(db, home.stranger.userId, { since })).toEqual({ liveS: 0, realisticS: 0 });
    });
  });
}
