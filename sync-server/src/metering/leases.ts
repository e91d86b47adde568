/**
 * Live conversation, a minute at a time: one an account, counted in the ledger while it goes on, and never counted for more than was
 * leased, so that a device that vanishes costs a minute at most. A call's line gives signs of life: one that dies with its server costs
 * seconds.
 */
import type { Lease } from '@parley/contract';
import {
  GOODBYE_S,
  isKnownTimeZone,
  LEASE_S,
  localDays,
  MIN_COUNTED_SPEECH_S,
  nextLocalDay,
  type PracticeStyle,
} from '@parley/domain';
import { and, eq, gt } from 'drizzle-orm';
import type { PlanState, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiLeases, aiUsage } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { readAllowance } from './allowance.ts';

export interface LeaseWish {
  sessionId: string;
  style: PracticeStyle;
  timeZone: string;
  takeOver: boolean;
  /** Of a call: its line has just been opened, or lives on. Left out where a device asks by itself. */
  line?: 'begins' | 'lives';
}

export interface Leases {
  /** The first minute or the next one. Throws `live.elsewhere`, `quota.out`. */
  take: (device: SignedInDevice, wish: LeaseWish) => Promise<Lease>;
  /** Counts what was used; next to no speech of the learner's is given back. */
  release: (device: SignedInDevice, ended: LeaseEnd) => Promise<void>;
  /** Whether this device holds this conversation now, or its goodbye. Throws `live.elsewhere`, `quota.out`. */
  require: (device: SignedInDevice, sessionId: string) => Promise<void>;
  /** The same, said every `SIGN_OF_LIFE_MS` by a call's line, which lives. */
  keep: (device: SignedInDevice, sessionId: string) => Promise<void>;
}

export interface LeaseEnd {
  sessionId: string;
  /** Over the whole session. */
  spokenS: number;
  /** It failed, or was given up before it began: what was counted from then on is given back, and nothing of what was talked before. */
  failedSince?: Date;
  /** Told by the call's own line, which lived until now. */
  byLine?: boolean;
}

export interface LeaseParts {
  db: Database;
  now: () => Date;
  /** Whether plans limit how long; a server that somebody runs for themselves counts nothing. */
  counts: boolean;
  planOf: (userId: string) => Promise<PlanState>;
  /** Minutes were counted, in this transaction; returns what is to be done once it is through. */
  counted?: (tx: Database, userId: string) => Promise<() => void>;
}

type LeaseRow = typeof aiLeases.$inferSelect;

export const SIGN_OF_LIFE_MS = 3_000;
/**
 * A line that lives is heard of sooner, so that nobody talks for nothing by opening one after the other; what goes by after this, until
 * the call is taken up again, nobody talked.
 */
const UNHEARD_S = 5;

/** Begun seconds are not counted yet: they go on in the next lease. */
const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000));
const secondsAfter = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);

/** Until when it may have been talked in; `isAlive`: who asks is the one that holds it. */
function lastsUntil({ expiresAt, seenAt }: LeaseRow, isAlive: boolean): Date {
  if (isAlive || seenAt === null) return expiresAt;
  return new Date(Math.min(expiresAt.getTime(), secondsAfter(seenAt, UNHEARD_S).getTime()));
}

function mustBeHeld(lease: Pick<LeaseRow, 'expiresAt'> | undefined, now: Date): void {
  if (lease === undefined) throw failure('live.elsewhere');
  if (now > secondsAfter(lease.expiresAt, GOODBYE_S)) throw failure('quota.out');
}

interface Piece {
  from: Date;
  seconds: number;
  localDay: string;
}

/** Each second belongs to the learner's day in which it begins; a lease is too short for more than two of them. */
function byLocalDay(from: Date, seconds: number, timeZone: string): Piece[] {
  const dayOf = localDays(timeZone);
  const [first, last] = [dayOf(from), dayOf(secondsAfter(from, seconds - 1))];
  if (first === last) return [{ from, seconds, localDay: first }];
  const before = Math.ceil((nextLocalDay(from, timeZone).getTime() - from.getTime()) / 1_000);
  return [
    { from, seconds: before, localDay: first },
    { from: secondsAfter(from, before), seconds: seconds - before, localDay: last },
  ];
}

const heldBy = (userId: string, deviceId: string, sessionId: string) =>
  and(eq(aiLeases.userId, userId), eq(aiLeases.deviceId, deviceId), eq(aiLeases.sessionId, sessionId));

export function createLeases({ db, now, counts, planOf, ...parts }: LeaseParts): Leases {
  const afterCounting = parts.counted ?? (async () => () => undefined);

  /** Writes into the ledger what has gone by since it was last written, and no more than it lasts. Returns up to when. */
  async function count(tx: Database, lease: LeaseRow, until: Date): Promise<Date> {
    const { userId, sessionId, style, timeZone, countedUntil } = lease;
    const seconds = secondsBetween(countedUntil, new Date(Math.min(now().getTime(), until.getTime())));
    if (seconds === 0) return countedUntil;
    const pieces = byLocalDay(countedUntil, seconds, timeZone).map((piece) => ({
      id: `live:${sessionId}:${piece.from.getTime()}`,
      userId,
      sessionId,
      style,
      use: 'live' as const,
      seconds: piece.seconds,
      // Of the day on which they were talked: what a device left open yesterday is none of today's.
      localDay: piece.localDay,
      at: secondsAfter(piece.from, piece.seconds),
    }));
    await tx.insert(aiUsage).values(pieces).onConflictDoNothing();
    const counted = secondsAfter(countedUntil, seconds);
    await tx.update(aiLeases).set({ countedUntil: counted }).where(eq(aiLeases.userId, userId));
    return counted;
  }

  const lockedLease = async (tx: Database, userId: string): Promise<LeaseRow | null> =>
    (await tx.select().from(aiLeases).where(eq(aiLeases.userId, userId)).for('update'))[0] ?? null;

  return {
    async take({ userId, deviceId }, wish) {
      if (!isKnownTimeZone(wish.timeZone)) throw failure('request.invalid', { field: 'timeZone' });
      if (!counts) return { expiresAt: new Date(now().getTime() + LEASE_S * 1_000).toISOString(), remainingS: null };
      const plan = await planOf(userId);
      const { lease, tell } = await db.transaction(async (tx) => {
        const held = await lockedLease(tx, userId);
        const isLive = held !== null && held.expiresAt > now();
        const isOurs = held?.sessionId === wish.sessionId && held.deviceId === deviceId;
        if (isLive && !isOurs && !wish.takeOver) throw failure('live.elsewhere');
        const until = held === null ? now() : lastsUntil(held, isOurs && wish.line === 'lives');
        const counted = held === null ? null : await count(tx, held, until);
        const { timeZone } = wish;
        const left = await readAllowance(tx, { userId, ...plan, timeZone, now: now() });
        const leftS = left[wish.style];
        // What used it up stays counted: the refusal waits until that is through.
        if (leftS === 0) return { lease: null, tell: await afterCounting(tx, userId) };
        const expiresAt = new Date(now().getTime() + Math.min(LEASE_S, leftS) * 1_000);
        const lease = {
          sessionId: wish.sessionId,
          deviceId,
          style: wish.style,
          timeZone: wish.timeZone,
          // Whoever asks again every moment would else never use up a second.
          countedUntil: until > now() && counted !== null ? counted : now(),
          expiresAt,
          seenAt: wish.line === undefined ? null : now(),
        };
        await tx
          .insert(aiLeases)
          .values({ userId, ...lease })
          .onConflictDoUpdate({ target: aiLeases.userId, set: lease });
        const told = await afterCounting(tx, userId);
        return { lease: { expiresAt: expiresAt.toISOString(), remainingS: leftS }, tell: told };
      });
      tell();
      if (lease === null) throw failure('quota.out');
      return lease;
    },

    async release({ userId, deviceId }, { sessionId, spokenS, failedSince, byLine = false }) {
      const tell = await db.transaction(async (tx) => {
        const held = await lockedLease(tx, userId);
        if (held === null || held.sessionId !== sessionId || held.deviceId !== deviceId) return null;
        await count(tx, held, lastsUntil(held, byLine));
        await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
        if (failedSince !== undefined) await giveBack(tx, held, failedSince);
        else if (spokenS < MIN_COUNTED_SPEECH_S) await giveBack(tx, held, null);
        return afterCounting(tx, userId);
      });
      tell?.();
    },

    async require({ userId, deviceId }, sessionId) {
      if (!counts) return;
      const [held] = await db
        .select()
        .from(aiLeases)
        .where(heldBy(userId, deviceId, sessionId));
      mustBeHeld(held, now());
    },

    async keep({ userId, deviceId }, sessionId) {
      if (!counts) return;
      const isTheirs = heldBy(userId, deviceId, sessionId);
      const [held] = await db.update(aiLeases).set({ seenAt: now() }).where(isTheirs).returning();
      mustBeHeld(held, now());
    },
  };

  /** Entry by entry, so that each day and each period gets back what it gave. */
  async function giveBack(tx: Database, { userId, sessionId }: LeaseRow, since: Date | null): Promise<void> {
    const ofSession = and(eq(aiUsage.userId, userId), eq(aiUsage.sessionId, sessionId), eq(aiUsage.use, 'live'));
    const entries = await tx
      .select()
      .from(aiUsage)
      .where(and(ofSession, gt(aiUsage.seconds, 0), since === null ? undefined : gt(aiUsage.at, since)));
    if (entries.length === 0) return;
    await tx
      .insert(aiUsage)
      .values(entries.map((entry) => ({ ...entry, id: `back:${entry.id}`, seconds: -entry.seconds })))
      .onConflictDoNothing();
  }
}
