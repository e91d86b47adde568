import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BEGINS, BERLIN, LIVES, setUpMetering } from '../../test-kit/metering-fixture.ts';
import type { DatabaseConnection } from '../db/client.ts';
import type { RealtimeSessionEnd } from './lease-time.ts';
import { createLeases, HEARTBEAT_INTERVAL_MS } from './leases.ts';

const FREE = { plan: 'FREE', periodStart: null, periodEnd: null } as const;

export function realtimeMeteringSuite(open: () => Promise<DatabaseConnection>): void {
  const metering = setUpMetering(open);
  const { home, take, useMinutes, release, endRealtimeSession, readRemainingS } = metering;

  describe('metered time', () => {
    it('is refunded when a realtime session fails, but not earlier time', async () => {
      await useMinutes(3);
      await release();
      const since = home.server.now();
      for (let minute = 0; minute < 2; minute += 1) {
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(60_000);
      }
      await endRealtimeSession({ since, spokenS: 0, outcome: 'failed' });
      expect(await readRemainingS()).toBe(420);
    });

    it('excludes the gap after a server died during a realtime session', async () => {
      const { server } = home;
      await take(home.laptop, { connection: BEGINS });
      for (let looks = 0; looks < 7; looks += 1) {
        server.advanceClock(HEARTBEAT_INTERVAL_MS);
        await metering.heartbeat();
      }
      server.advanceClock(30_000);
      const begun = createLeases({
        db: server.database.db,
        now: server.now,
        isMetered: true,
        planOf: async () => FREE,
      });
      const request = {
        sessionId: metering.sessionId,
        style: 'turn_based',
        timeZone: BERLIN,
        takeOver: false,
      } as const;
      const { remainingS } = await begun.acquire(home.laptop, { ...request, connection: BEGINS });
      expect(remainingS).toBe(600 - 21 - 5);
      server.advanceClock(10_000);
      expect(await begun.acquire(home.laptop, { ...request, connection: LIVES })).toMatchObject({
        remainingS: 600 - 21 - 5 - 10,
      });
      // The gap is also excluded when the device renews or releases on its own while no connection is alive.
      server.advanceClock(30_000);
      expect(await begun.acquire(home.laptop, request)).toMatchObject({ remainingS: 600 - 21 - 5 - 10 - 5 });
      await begun.acquire(home.laptop, { ...request, connection: BEGINS });
      server.advanceClock(40_000);
      await begun.release(home.laptop, metering.sessionId);
      expect(await readRemainingS()).toBe(600 - 21 - 5 - 10 - 5 - 5);
    });

    it('of a realtime session is counted until its connection ends', async () => {
      await take(home.laptop, { connection: BEGINS });
      home.server.advanceClock(20_000);
      await endRealtimeSession();
      expect(await readRemainingS()).toBe(580);
    });

    it("of a live realtime session is unaffected by its device's other requests", async () => {
      metering.plan = 'PLUS';
      await take(home.laptop, { connection: BEGINS, style: 'ultra_realistic' });
      for (let looks = 0; looks < 10; looks += 1) {
        home.server.advanceClock(HEARTBEAT_INTERVAL_MS);
        await metering.heartbeat();
        await release();
        await take(home.laptop, { takeOver: true });
      }
      await endRealtimeSession({ since: new Date(home.server.now().getTime() - 30_000) });
      expect((await take(home.laptop, { style: 'ultra_realistic' })).remainingS).toBe(3_600 - 30);
    });

    it('of a short realtime session without speech is refunded', async () => {
      const call = async (seconds: number, end: Partial<RealtimeSessionEnd>): Promise<void> => {
        const since = home.server.now();
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(seconds * 1_000);
        await endRealtimeSession({ since, ...end });
      };
      await call(29, { spokenS: 0 });
      expect(await readRemainingS()).toBe(600);
      await release();
      // Together the parts are no longer short.
      await call(29, { spokenS: 0 });
      expect(await readRemainingS()).toBe(571);
      await release();
      metering.sessionId = randomUUID();
      await call(29, { spokenS: 1 });
      expect(await readRemainingS()).toBe(542);
      await release();
      metering.sessionId = randomUUID();
      await call(30, { spokenS: 0 });
      expect(await readRemainingS()).toBe(512);
    });

    it('of a realtime session that dropped early is forgiven three times a day', async () => {
      for (let call = 1; call <= 5; call += 1) {
        metering.sessionId = randomUUID();
        const since = home.server.now();
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(20_000);
        await endRealtimeSession({ since, spokenS: 10, outcome: 'dropped' });
      }
      expect(await readRemainingS()).toBe(600 - 2 * 20);
    });

    it('of a short realtime session without speech is refunded ten times a day', async () => {
      for (let call = 1; call <= 12; call += 1) {
        metering.sessionId = randomUUID();
        const since = home.server.now();
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(20_000);
        await endRealtimeSession({ since, spokenS: 0 });
      }
      expect(await readRemainingS()).toBe(600 - 2 * 20);
    });

    it('of a realtime session that failed is refunded ten times a day', async () => {
      for (let call = 1; call <= 12; call += 1) {
        metering.sessionId = randomUUID();
        const since = home.server.now();
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(40_000);
        await endRealtimeSession({ since, outcome: 'failed' });
      }
      expect(await readRemainingS()).toBe(600 - 2 * 40);
    });

    it('of a realtime session ends when serving ends', async () => {
      const since = home.server.now();
      await take(home.laptop, { connection: BEGINS });
      home.server.advanceClock(50_000);
      const servedUntil = home.server.now();
      home.server.advanceClock(8_000);
      await take(home.laptop, { connection: LIVES });
      home.server.advanceClock(10_000);
      await endRealtimeSession({ since, servedUntil, outcome: 'dropped' });
      expect(await readRemainingS()).toBe(550);
    });

    it('belongs to the newest connection of a session, and the one before gets back only its own', async () => {
      const { server, laptop } = home;
      const since = server.now();
      await take(laptop, { connection: BEGINS });
      server.advanceClock(4_000);
      const newer = { id: randomUUID(), state: 'begins' } as const;
      await take(laptop, { connection: newer });
      await expect(metering.heartbeat()).rejects.toMatchObject({ code: 'live.elsewhere' });
      await expect(take(laptop, { connection: LIVES })).rejects.toMatchObject({ code: 'live.elsewhere' });
      server.advanceClock(4_000);
      const call = { sessionId: metering.sessionId, connectionId: newer.id };
      await metering.leases.heartbeat(laptop, call);
      server.advanceClock(4_000);
      await take(laptop, { connection: { id: newer.id, state: 'lives' } });
      await endRealtimeSession({ since, spokenS: 0, servedUntil: since, outcome: 'failed' });
      await metering.leases.heartbeat(laptop, call);
      await endRealtimeSession(call);
      expect(await readRemainingS()).toBe(600 - 8);
    });

    it('cannot be gained by opening connections one after another', async () => {
      for (let line = 0; line < 20; line += 1) {
        await take(home.laptop, { connection: BEGINS });
        home.server.advanceClock(1_700);
      }
      expect(await readRemainingS()).toBe(600 - 34);
    });
  });
}
