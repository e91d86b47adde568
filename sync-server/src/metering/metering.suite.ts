import { randomUUID } from 'node:crypto';
import type { PlanType } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { BERLIN, setUpMetering } from '../../test-kit/metering-fixture.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { readRemainingSeconds } from './allowance.ts';
import { createLeases } from './leases.ts';
import { readUsedSeconds } from './ledger.ts';

const FREE = { plan: 'FREE', periodStart: null, periodEnd: null } as const;

export function meteringSuite(open: () => Promise<DatabaseConnection>): void {
  const metering = setUpMetering(open);
  const { home, take, useMinutes, transcribe, release, readRemainingS, passToBeforeMidnight } = metering;

  const recordWordless = async (seconds: number) =>
    (await metering.leases.requireHeld(home.laptop, metering.sessionId)).recordWordless(seconds);

  /** A session of nine minutes that sends audio without words. */
  async function passSilently(wordlessS: number): Promise<void> {
    await take();
    for (let turn = 0; turn < 18; turn += 1) {
      home.server.advanceClock(30_000);
      await take();
      await recordWordless(wordlessS / 18);
    }
  }

  it('gives the first lease once, however many devices ask at the same time', async () => {
    const asked = Array.from({ length: 50 }, (_, index) => ({
      device: index % 2 === 0 ? home.laptop : home.phone,
      sessionId: randomUUID(),
    }));
    const outcomes = await Promise.allSettled(asked.map(({ device, sessionId }) => take(device, { sessionId })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'live.elsewhere' });
    for (const { device, sessionId } of asked) await metering.leases.release(device, sessionId);
  });

  describe('metered time', () => {
    it("is ten minutes a day on FREE and resets at the learner's midnight", async () => {
      await useMinutes(10);
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      await release();
      // 2026-11-20 10:10 UTC is 11:10 in Berlin: midnight is in 12 hours and 50 minutes.
      home.server.advanceClock((12 * 60 + 49) * 60_000);
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      home.server.advanceClock(60_000);
      expect(await readRemainingS()).toBe(600);
    });

    it('is counted while it passes, never beyond the lease', async () => {
      await take();
      await transcribe();
      home.server.advanceClock(40_000);
      expect(await readRemainingS()).toBe(560);
      // The device is gone for longer than its lease.
      home.server.advanceClock(10 * 60_000);
      await release();
      expect(await readRemainingS()).toBe(500);
    });

    it('is counted to the end and reported before the next lease is refused', async () => {
      const { server } = home;
      const told: number[] = [];
      const left = () =>
        readRemainingSeconds(server.database.db, {
          ...FREE,
          userId: home.laptop.userId,
          timeZone: BERLIN,
          now: server.now(),
        });
      metering.leases = createLeases({
        db: server.database.db,
        now: server.now,
        isMetered: true,
        planOf: async () => FREE,
        onUsageRecorded: async (tx, userId) => {
          const used = await readUsedSeconds(tx, userId, { since: new Date(server.now().getTime() - 3_600_000) });
          return () => void told.push(used.liveS);
        },
      });
      await useMinutes(9);
      await take();
      await transcribe();
      server.advanceClock(60_400);
      told.length = 0;
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      expect(told).toEqual([600]);
      expect(await left()).toMatchObject({ turn_based: 0 });
      // Repeating a request or releasing the lease counts nothing twice.
      await expect(take()).rejects.toMatchObject({ code: 'quota.out' });
      await release();
      expect(await left()).toMatchObject({ turn_based: 0 });
      expect(told).toEqual([600, 600, 600]);
    });

    it('costs nothing when no speech was transcribed', async () => {
      for (let minute = 0; minute < 3; minute += 1) {
        await take();
        home.server.advanceClock(60_000);
      }
      await release();
      expect(await readRemainingS()).toBe(600);
    });

    it('costs only the audio beyond the free minutes when no words were found', async () => {
      await passSilently(306);
      await release();
      expect(await readRemainingS()).toBe(594);
    });

    it('costs the elapsed time once when words were found after much audio without words', async () => {
      await passSilently(324);
      await transcribe(5);
      await release();
      expect(await readRemainingS()).toBe(60);
    });

    it('costs audio beyond the free minutes even when transcribing fails afterwards', async () => {
      await take();
      home.server.advanceClock(20_000);
      await transcribe(15);
      await recordWordless(340);
      home.server.advanceClock(30_000);
      await (await metering.leases.requireHeld(home.laptop, metering.sessionId)).recordFailure();
      await release();
      expect(await readRemainingS()).toBe(545);
    });

    it('costs nothing when the device vanishes before it spoke', async () => {
      await take();
      home.server.advanceClock(10 * 60_000);
      expect(await readRemainingS()).toBe(600);
    });

    it('counts the elapsed time, however little speech it holds', async () => {
      await useMinutes(3);
      await release();
      expect(await readRemainingS()).toBe(420);
    });

    it('counts at least the speech, however fast an app sends it', async () => {
      await take();
      for (let turns = 0; turns < 3; turns += 1) await transcribe(100);
      home.server.advanceClock(10_000);
      await release();
      expect(await readRemainingS()).toBe(300);
      await take();
      await transcribe(290);
      await expect(transcribe(290)).resolves.toBeUndefined();
      await expect(transcribe(1)).rejects.toMatchObject({ code: 'quota.out' });
    });

    it('counts speech that is transcribed after the lease was released', async () => {
      await take();
      const meter = await metering.leases.requireHeld(home.laptop, metering.sessionId);
      await release();
      await meter.recordSpeech(90);
      expect(await readRemainingS()).toBe(510);
    });

    it('is refunded from the last speech on when transcribing fails', async () => {
      await take();
      home.server.advanceClock(20_000);
      await transcribe(15);
      const meter = await metering.leases.requireHeld(home.laptop, metering.sessionId);
      home.server.advanceClock(30_000);
      await meter.recordFailure();
      await release();
      expect(await readRemainingS()).toBe(580);
      // A failure that a modified app provokes refunds nothing that was transcribed.
      await take();
      await transcribe(50);
      home.server.advanceClock(5_000);
      await (await metering.leases.requireHeld(home.laptop, metering.sessionId)).recordFailure();
      await release();
      expect(await readRemainingS()).toBe(530);
    });

    it('is refunded once, however often the end is reported', async () => {
      await useMinutes(2);
      await release();
      metering.sessionId = randomUUID();
      await take();
      home.server.advanceClock(60_000);
      await Promise.all([release(), release(), release()]);
      await release();
      expect(await readRemainingS()).toBe(480);
    });

    it('across midnight counts on the day on which it passes', async () => {
      passToBeforeMidnight(20_000);
      await take();
      await transcribe();
      home.server.advanceClock(60_000);
      expect(await readRemainingS()).toBe(600 - 40);
    });

    it('is refunded to the day that it was counted for', async () => {
      passToBeforeMidnight(2 * 60_000);
      for (let minute = 0; minute < 5; minute += 1) {
        await take();
        home.server.advanceClock(60_000);
      }
      await release();
      expect(await readRemainingS()).toBe(600);
      await useMinutes(2);
      expect(await readRemainingS()).toBe(480);
    });

    it('cannot be gained by renewing all the time', async () => {
      await take();
      await transcribe();
      for (let moment = 0; moment < 50; moment += 1) {
        await take();
        home.server.advanceClock(400);
      }
      expect(await readRemainingS()).toBe(580);
    });

    it.each([
      ['is counted from there on', false, 35],
      ['is refunded from there on', true, 0],
    ])('of a paid plan across the start of its period %s', async (_what, fails, countedS) => {
      metering.plan = 'PLUS';
      const { server } = home;
      const startsAt = new Date(server.now().getTime() + 25_000);
      metering.leases = createLeases({
        db: server.database.db,
        now: server.now,
        isMetered: true,
        planOf: async () => ({
          plan: metering.plan,
          periodStart: server.now() < startsAt ? server.now() : startsAt,
          periodEnd: null,
        }),
      });
      await take();
      await transcribe();
      if (fails) await (await metering.leases.requireHeld(home.laptop, metering.sessionId)).recordFailure();
      server.advanceClock(60_000);
      expect(await readRemainingS()).toBe(36_000 - countedS);
    });

    it('is leased to one device until another takes over', async () => {
      await take();
      await expect(take(home.phone, { sessionId: randomUUID() })).rejects.toMatchObject({ code: 'live.elsewhere' });
      await metering.leases.requireHeld(home.laptop, metering.sessionId);
      await take(home.phone, { takeOver: true });
      await metering.leases.requireHeld(home.phone, metering.sessionId);
      await expect(metering.leases.requireHeld(home.laptop, metering.sessionId)).rejects.toMatchObject({
        code: 'live.elsewhere',
      });
      // If the device that lost the lease releases it, the other device keeps it.
      await release();
      await metering.leases.requireHeld(home.phone, metering.sessionId);
    });

    it('of another learner is independent', async () => {
      await take();
      await expect(
        metering.leases.acquire(home.stranger, {
          sessionId: metering.sessionId,
          style: 'turn_based',
          timeZone: BERLIN,
          takeOver: true,
        }),
      ).resolves.toMatchObject({ remainingS: 600 });
      await metering.leases.requireHeld(home.laptop, metering.sessionId);
    });

    it('is counted for each of two learners whose sessions have the same id', async () => {
      for (const device of [home.laptop, home.stranger]) {
        await take(device);
        await transcribe(1, device);
      }
      home.server.advanceClock(40_000);
      for (const device of [home.laptop, home.stranger]) await release(device);
      for (const device of [home.laptop, home.stranger])
        expect(await take(device, { sessionId: randomUUID() })).toMatchObject({ remainingS: 560 });
    });

    it('ends with a minute for saying goodbye', async () => {
      await useMinutes(9);
      await take();
      home.server.advanceClock(60_000 + 59_000);
      await metering.leases.requireHeld(home.laptop, metering.sessionId);
      home.server.advanceClock(2_000);
      await expect(metering.leases.requireHeld(home.laptop, metering.sessionId)).rejects.toMatchObject({
        code: 'quota.out',
      });
    });

    it.each<[PlanType, number]>([
      ['FREE', 0],
      ['TRIALING', 30],
      ['PLUS', 60],
      ['PRO', 600],
    ])('on %s allows %i ultra-realistic minutes', async (tried, minutes) => {
      metering.plan = tried;
      const asked = take(home.laptop, { style: 'ultra_realistic' });
      if (minutes === 0) await expect(asked).rejects.toMatchObject({ code: 'quota.out' });
      else expect(await asked).toMatchObject({ remainingS: minutes * 60 });
    });

    it('of a paid plan counts both styles since the period began', async () => {
      metering.plan = 'PLUS';
      await useMinutes(2, { style: 'ultra_realistic' });
      expect(await readRemainingS()).toBe(36_000 - 120);
      expect(await take(home.laptop, { style: 'ultra_realistic' })).toMatchObject({ remainingS: 3_600 - 120 });
    });

    it('is unlimited on a server without metering', async () => {
      const { server } = home;
      const free = createLeases({
        db: server.database.db,
        now: server.now,
        isMetered: false,
        planOf: async () => ({ plan: 'FREE', periodStart: null, periodEnd: null }),
      });
      for (let minute = 0; minute < 12; minute += 1) {
        const lease = await free.acquire(home.laptop, {
          sessionId: metering.sessionId,
          style: 'ultra_realistic',
          timeZone: BERLIN,
          takeOver: false,
        });
        expect(lease.remainingS).toBeNull();
        server.advanceClock(60_000);
      }
      await free.requireHeld(home.phone, metering.sessionId);
    });

    it('is refused for an unknown time zone', async () => {
      await expect(take(home.laptop, { timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ code: 'request.invalid' });
    });
  });

  describe('the ledger', () => {
    it("does not add up other learners' minutes", async () => {
      await useMinutes(1);
      await release();
      const { db } = home.server.database;
      const since = new Date(home.server.now().getTime() - 3_600_000);
      expect(await readUsedSeconds(db, home.laptop.userId, { since })).toEqual({ liveS: 60, realisticS: 0 });
      expect(await readUsedSeconds(db, home.stranger.userId, { since })).toEqual({ liveS: 0, realisticS: 0 });
    });
  });
}
