import { randomUUID } from 'node:crypto';
import { COACH_BUDGETS_USD, type PlanType } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiReservations, tables } from '../db/tables.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { registerDevice } from '../test-kit/server.ts';
import { RESERVED_FOR_MS } from './budget.ts';
import { createLedger, type Ledger } from './ledger.ts';

const DAY_MS = 24 * 3_600_000;

export function budgetSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);
  let plan: PlanType;
  let anybody: string;
  beforeEach(async () => {
    plan = 'PRO';
    home.server.pass(2 * DAY_MS - (home.server.now().getTime() % DAY_MS));
    anybody = home.laptop.userId;
    await nameLearner(anybody);
  });

  const nameLearner = (userId: string): Promise<unknown> =>
    home.server.database.db
      .update(tables.users)
      .set({ email: `${userId}@example.com` })
      .where(eq(tables.users.userId, userId));
  const ledgerOf = (dailyLimitUsd: number | null): Ledger =>
    createLedger({
      db: home.server.database.db,
      now: home.server.now,
      dailyLimitUsd,
      planOf: async () => ({ plan, periodStart: null }),
    });
  const used = (costMicros: number, userId = anybody, id: string = randomUUID()) => ({
    id,
    userId,
    costMicros,
    sessionId: null,
    use: 'reply' as const,
    style: 'turn_based' as const,
    model: 'gpt-5-mini',
  });
  const wish = (costMicros: number, userId = anybody, isLeased = false) => ({ userId, costMicros, isLeased });
  /** Reserves, spends less than that, and releases. */
  const call = async (ledger: Ledger, costMicros: number, isLeased = true): Promise<void> => {
    const reservation = await ledger.reserve(wish(costMicros, anybody, isLeased));
    await ledger.note(used(costMicros / 2));
    await reservation.release();
  };
  const refused = { code: 'coach.spent' };

  describe('a budget', () => {
    it('is never overspent by calls that are made at once', async () => {
      const ledger = ledgerOf(0.01);
      const calls = await Promise.allSettled(
        Array.from({ length: 40 }, () => ledger.reserve(wish(3_000, anybody, true))),
      );
      const reserved = calls.flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
      expect(reserved).toHaveLength(3);
      for (const reservation of reserved) await reservation.release();
      await ledger.reserve(wish(10_000, anybody, true));
    });

    it('is settled by what a call did cost', async () => {
      const ledger = ledgerOf(0.01);
      for (let made = 0; made < 3; made += 1) await call(ledger, 4_000);
      await expect(ledger.reserve(wish(4_001, anybody, true))).rejects.toMatchObject(refused);
      await ledger.reserve(wish(4_000, anybody, true));
    });

    it('is whole again when what a dead server reserved has expired', async () => {
      const ledger = ledgerOf(0.01);
      await ledger.reserve(wish(9_000, anybody, true));
      home.server.pass(RESERVED_FOR_MS - 1);
      await expect(ledger.reserve(wish(9_000, anybody, true))).rejects.toMatchObject(refused);
      home.server.pass(1);
      await ledger.reserve(wish(9_000, anybody, true));
      expect(await home.server.database.db.$count(aiReservations, eq(aiReservations.userId, anybody))).toBe(1);
      home.server.pass(RESERVED_FOR_MS);
    });

    it('counts the same use once, and begins anew at midnight UTC, as the refusal says', async () => {
      const ledger = ledgerOf(0.01);
      const once = used(6_000, anybody, randomUUID());
      await Promise.all([ledger.note(once), ledger.note(once), ledger.note(once)]);
      await (await ledger.reserve(wish(4_000, anybody, true))).release();
      await ledger.note(used(4_000));
      const midnight = new Date(Math.ceil((home.server.now().getTime() + 1) / DAY_MS) * DAY_MS);
      await expect(ledger.reserve(wish(1, anybody, true))).rejects.toMatchObject({
        code: 'coach.spent',
        data: { resetsAt: midnight.toISOString() },
      });
      home.server.pass(midnight.getTime() - home.server.now().getTime());
      await (await ledger.reserve(wish(1, anybody, true))).release();
    });

    it('that is renewed may cost more from then on, where there is more', async () => {
      const ledger = ledgerOf(0.01);
      const reservation = await ledger.reserve(wish(2_000, anybody, true));
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
      await ledger.note(used(limit - 1_000));
      await expect(ledger.reserve(wish(1_001))).rejects.toMatchObject({ ...refused, data: { detail: 'learner' } });
      await (await ledger.reserve(wish(1_000))).release();
      // Live minutes have limits of their own, and another learner is not theirs to use up.
      await (await ledger.reserve(wish(1_000_000, anybody, true))).release();
      await (await ledger.reserve(wish(1_000, home.stranger.userId))).release();
    });

    it('cannot use up what is there for all, however small that is', async () => {
      const ledger = ledgerOf(0.01);
      await ledger.note(used(5_000));
      await expect(ledger.reserve(wish(1))).rejects.toMatchObject({ ...refused, data: { detail: 'learner' } });
      await (await ledger.reserve(wish(2_500, home.stranger.userId))).release();
    });
  });

  it('accounts without an address have a small limit each, and a part of the budget together', async () => {
    const ledger = ledgerOf(2);
    const another = async (): Promise<string> => (await registerDevice(home.server)).userId;
    const mostMicros = COACH_BUDGETS_USD.ANONYMOUS * 1_000_000;
    for (let account = 0; account < 2; account += 1) await ledger.note(used(mostMicros, await another()));
    await expect(ledger.reserve(wish(1, await another()))).rejects.toMatchObject({
      ...refused,
      data: { detail: 'anonymous' },
    });
    await (await ledger.reserve(wish(mostMicros))).release();
  });
}
