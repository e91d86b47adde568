import { randomUUID } from 'node:crypto';
import { COACH_BUDGETS_USD, type PlanType } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiReservations } from '../db/metering-tables.ts';
import { tables } from '../db/tables.ts';
import { setUpSyncFixture } from '../../test-kit/sync/sync-fixture.ts';
import { registerDevice } from '../../test-kit/server.ts';
import { RESERVATION_LIFETIME_MS } from './budget.ts';
import { createLedger, type Ledger } from './ledger.ts';

const DAY_MS = 24 * 3_600_000;

export function budgetSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  let plan: PlanType;
  let learnerId: string;
  beforeEach(async () => {
    plan = 'PRO';
    home.server.advanceClock(2 * DAY_MS - (home.server.now().getTime() % DAY_MS));
    learnerId = home.laptop.userId;
    await setEmail(learnerId);
  });

  const setEmail = (userId: string): Promise<unknown> =>
    home.server.database.db
      .update(tables.users)
      .set({ email: `${userId}@example.com` })
      .where(eq(tables.users.userId, userId));
  const ledgerOf = (dailyLimitUsd: number | null): Ledger =>
    createLedger({
      db: home.server.database.db,
      now: home.server.now,
      dailyLimitUsd,
      planOf: async () => ({ plan, periodStart: null, periodEnd: null }),
    });
  const used = (costMicros: number, userId = learnerId, id: string = randomUUID()) => ({
    id,
    userId,
    costMicros,
    sessionId: null,
    use: 'reply' as const,
    style: 'turn_based' as const,
    model: 'gpt-5-mini',
  });
  const reservationRequest = (costMicros: number, userId = learnerId, isLeased = false) => ({
    userId,
    costMicros,
    isLeased,
  });
  /** Reserves an amount, spends half of it and releases the reservation. */
  const spendHalf = async (ledger: Ledger, costMicros: number, isLeased = true): Promise<void> => {
    const reservation = await ledger.reserve(reservationRequest(costMicros, learnerId, isLeased));
    await ledger.record(used(costMicros / 2));
    await reservation.release();
  };
  const refused = { code: 'coach.spent' };

  describe('a budget', () => {
    it('is never overspent by simultaneous calls', async () => {
      const ledger = ledgerOf(0.01);
      const calls = await Promise.allSettled(
        Array.from({ length: 40 }, () => ledger.reserve(reservationRequest(3_000, learnerId, true))),
      );
      const reserved = calls.flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
      expect(reserved).toHaveLength(3);
      for (const reservation of reserved) await reservation.release();
      await ledger.reserve(reservationRequest(10_000, learnerId, true));
    });

    it("is reduced by a call's actual cost", async () => {
      const ledger = ledgerOf(0.01);
      for (let made = 0; made < 3; made += 1) await spendHalf(ledger, 4_000);
      await expect(ledger.reserve(reservationRequest(4_001, learnerId, true))).rejects.toMatchObject(refused);
      await ledger.reserve(reservationRequest(4_000, learnerId, true));
    });

    it('regains the reservations of a dead server when they expire', async () => {
      const ledger = ledgerOf(0.01);
      await ledger.reserve(reservationRequest(9_000, learnerId, true));
      home.server.advanceClock(RESERVATION_LIFETIME_MS - 1);
      await expect(ledger.reserve(reservationRequest(9_000, learnerId, true))).rejects.toMatchObject(refused);
      home.server.advanceClock(1);
      await ledger.reserve(reservationRequest(9_000, learnerId, true));
      expect(await home.server.database.db.$count(aiReservations, eq(aiReservations.userId, learnerId))).toBe(1);
      home.server.advanceClock(RESERVATION_LIFETIME_MS);
    });

    it('counts the same usage once and resets at midnight UTC', async () => {
      const ledger = ledgerOf(0.01);
      const once = used(6_000, learnerId, randomUUID());
      await Promise.all([ledger.record(once), ledger.record(once), ledger.record(once)]);
      await (await ledger.reserve(reservationRequest(4_000, learnerId, true))).release();
      await ledger.record(used(4_000));
      const midnight = new Date(Math.ceil((home.server.now().getTime() + 1) / DAY_MS) * DAY_MS);
      await expect(ledger.reserve(reservationRequest(1, learnerId, true))).rejects.toMatchObject({
        code: 'coach.spent',
        data: { resetsAt: midnight.toISOString() },
      });
      home.server.advanceClock(midnight.getTime() - home.server.now().getTime());
      await (await ledger.reserve(reservationRequest(1, learnerId, true))).release();
    });

    it('refuses to renew a reservation beyond the limit', async () => {
      const ledger = ledgerOf(0.01);
      const reservation = await ledger.reserve(reservationRequest(2_000, learnerId, true));
      await reservation.renew(10_000);
      await expect(reservation.renew(10_001)).rejects.toMatchObject(refused);
      await reservation.release();
    });
  });

  describe('one learner', () => {
    it.each<PlanType>(['FREE', 'TRIALING', 'PLUS', 'PRO'])('on %s has a limit of their own', async (tried) => {
      plan = tried;
      const ledger = ledgerOf(null);
      const limit = COACH_BUDGETS_USD[tried] * 1_000_000;
      await ledger.record(used(limit - 1_000));
      await expect(ledger.reserve(reservationRequest(1_001))).rejects.toMatchObject({
        ...refused,
        data: { detail: 'learner' },
      });
      await (await ledger.reserve(reservationRequest(1_000))).release();
      // Leased time is limited separately, and another learner has a limit of their own.
      await (await ledger.reserve(reservationRequest(1_000_000, learnerId, true))).release();
      await (await ledger.reserve(reservationRequest(1_000, home.stranger.userId))).release();
    });

    it('cannot use up the budget of all learners, however small', async () => {
      const ledger = ledgerOf(0.01);
      await ledger.record(used(5_000));
      await expect(ledger.reserve(reservationRequest(1))).rejects.toMatchObject({
        ...refused,
        data: { detail: 'learner' },
      });
      await (await ledger.reserve(reservationRequest(2_500, home.stranger.userId))).release();
    });
  });

  it('accounts without an address have small limits and share a part of the budget', async () => {
    const ledger = ledgerOf(2);
    const another = async (): Promise<string> => (await registerDevice(home.server)).userId;
    const mostMicros = COACH_BUDGETS_USD.ANONYMOUS * 1_000_000;
    for (let account = 0; account < 2; account += 1) await ledger.record(used(mostMicros, await another()));
    await expect(ledger.reserve(reservationRequest(1, await another()))).rejects.toMatchObject({
      ...refused,
      data: { detail: 'anonymous' },
    });
    await (await ledger.reserve(reservationRequest(mostMicros))).release();
  });
}
