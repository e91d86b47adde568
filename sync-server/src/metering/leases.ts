/**
 * Live conversation, a minute at a time: one an account, counted in the ledger while it goes on, and never counted for more than was
 * leased, so that a device that vanishes costs a minute at most.
 */
import type { Lease } from '@parley/contract';
import {
  ALLOWANCES,
  GOODBYE_S,
  LEASE_S,
  localDays,
  MIN_COUNTED_SPEECH_S,
  type PracticeStyle,
  remainingSeconds,
} from '@parley/domain';
import { and, eq, sql } from 'drizzle-orm';
import type { PlanState, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiLeases, aiUsage } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { usedSeconds } from './ledger.ts';

export interface LeaseWish {
  sessionId: string;
  style: PracticeStyle;
  timeZone: string;
  takeOver: boolean;
}

export interface Leases {
  /** The first minute or the next one. Throws `live.elsewhere`, `quota.out`. */
  take: (device: SignedInDevice, wish: LeaseWish) => Promise<Lease>;
  /** Counts what was used; next to no speech of the learner's is given back. */
  release: (device: SignedInDevice, ended: { sessionId: string; spokenS: number }) => Promise<void>;
  /** Whether this device holds this conversation now, or its goodbye. Throws `live.elsewhere`, `quota.out`. */
  require: (device: SignedInDevice, sessionId: string) => Promise<void>;
}

export interface LeaseParts {
  db: Database;
  now: () => Date;
  /** Whether plans limit how long; a server that somebody runs for themselves counts nothing. */
  counts: boolean;
  planOf: (userId: string) => Promise<PlanState>;
}

type LeaseRow = typeof aiLeases.$inferSelect;

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000));
const isKnownTimeZone = (timeZone: string): boolean => {
  try {
    localDays(timeZone);
    return true;
  } catch {
    return false;
  }
};

export function createLeases({ db, now, counts, planOf }: LeaseParts): Leases {
  async function leftOf(
    tx: Database,
    userId: string,
    { style, timeZone, plan, periodStart }: Pick<LeaseWish, 'style' | 'timeZone'> & PlanState,
  ): Promise<number> {
    const within =
      ALLOWANCES[plan].every === 'local_day' || periodStart === null
        ? { localDay: localDays(timeZone)(now()) }
        : { since: periodStart };
    return remainingSeconds(plan, style, await usedSeconds(tx, userId, within));
  }

  /** Writes into the ledger what has gone by since it was last written, and no more than was leased. */
  async function count(tx: Database, lease: LeaseRow): Promise<void> {
    const until = new Date(Math.min(now().getTime(), lease.expiresAt.getTime()));
    const seconds = secondsBetween(lease.countedUntil, until);
    if (seconds === 0) return;
    await tx
      .insert(aiUsage)
      .values({
        id: `live:${lease.sessionId}:${lease.countedUntil.getTime()}`,
        userId: lease.userId,
        sessionId: lease.sessionId,
        use: 'live',
        style: lease.style,
        seconds,
        // Of the day on which they were talked: what a device left open yesterday is none of today's.
        localDay: localDays(lease.timeZone)(until),
        at: until,
      })
      .onConflictDoNothing();
    await tx.update(aiLeases).set({ countedUntil: until }).where(eq(aiLeases.userId, lease.userId));
  }

  const lockedLease = async (tx: Database, userId: string): Promise<LeaseRow | null> =>
    (await tx.select().from(aiLeases).where(eq(aiLeases.userId, userId)).for('update'))[0] ?? null;

  return {
    async take({ userId, deviceId }, wish) {
      if (!isKnownTimeZone(wish.timeZone)) throw failure('request.invalid', { field: 'timeZone' });
      if (!counts) return { expiresAt: new Date(now().getTime() + LEASE_S * 1_000).toISOString(), remainingS: null };
      const plan = await planOf(userId);
      return db.transaction(async (tx) => {
        const held = await lockedLease(tx, userId);
        const isLive = held !== null && held.expiresAt > now();
        const isOurs = held?.sessionId === wish.sessionId && held.deviceId === deviceId;
        if (isLive && !isOurs && !wish.takeOver) throw failure('live.elsewhere');
        if (held !== null) await count(tx, held);
        const leftS = await leftOf(tx, userId, { ...wish, ...plan });
        if (leftS === 0) throw failure('quota.out');
        const expiresAt = new Date(now().getTime() + Math.min(LEASE_S, leftS) * 1_000);
        const lease = {
          sessionId: wish.sessionId,
          deviceId,
          style: wish.style,
          timeZone: wish.timeZone,
          countedUntil: now(),
          expiresAt,
        };
        await tx
          .insert(aiLeases)
          .values({ userId, ...lease })
          .onConflictDoUpdate({ target: aiLeases.userId, set: lease });
        return { expiresAt: expiresAt.toISOString(), remainingS: leftS };
      });
    },

    release: ({ userId, deviceId }, { sessionId, spokenS }) =>
      db.transaction(async (tx) => {
        const held = await lockedLease(tx, userId);
        if (held === null || held.sessionId !== sessionId || held.deviceId !== deviceId) return;
        await count(tx, held);
        await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
        if (spokenS < MIN_COUNTED_SPEECH_S) await giveBack(tx, held);
      }),

    async require({ userId, deviceId }, sessionId) {
      if (!counts) return;
      const [held] = await db
        .select()
        .from(aiLeases)
        .where(and(eq(aiLeases.userId, userId), eq(aiLeases.sessionId, sessionId)));
      if (held === undefined || held.deviceId !== deviceId) throw failure('live.elsewhere');
      if (now().getTime() > held.expiresAt.getTime() + GOODBYE_S * 1_000) throw failure('quota.out');
    },
  };

  async function giveBack(tx: Database, { userId, sessionId, style, timeZone }: LeaseRow): Promise<void> {
    const [sum] = await tx
      .select({ seconds: sql<string>`coalesce(sum(${aiUsage.seconds}), 0)` })
      .from(aiUsage)
      .where(and(eq(aiUsage.userId, userId), eq(aiUsage.sessionId, sessionId), eq(aiUsage.use, 'live')));
    const seconds = Number(sum?.seconds ?? 0);
    if (seconds <= 0) return;
    await tx
      .insert(aiUsage)
      .values({
        id: `back:${sessionId}:${now().getTime()}`,
        userId,
        sessionId,
        use: 'live',
        style,
        seconds: -seconds,
        localDay: localDays(timeZone)(now()),
        at: now(),
      })
      .onConflictDoNothing();
  }
}
