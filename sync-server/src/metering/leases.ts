/**
 * Live conversation, a minute at a time: one an account, counted in the ledger while it goes on, and never counted for more than was
 * leased, so that a device that vanishes costs a minute at most. A call's line gives signs of life: one that dies with its server costs
 * seconds. What is given back follows from what the server itself served, never from what a device says.
 */
import { randomUUID } from 'node:crypto';
import type { Lease } from '@parley/contract';
import {
  FORGIVEN_DROPS_A_DAY,
  GOODBYE_S,
  isKnownTimeZone,
  LEASE_S,
  localDays,
  MIN_COUNTED_S,
  type PracticeStyle,
} from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { PlanState, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiLeases } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { readAllowance } from './allowance.ts';
import {
  addSeconds,
  forgivenDrops,
  giveBackSince,
  secondsAfter,
  secondsBetween,
  servedSeconds,
} from './live-seconds.ts';

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
  /**
   * The device says that it is over, or pauses. Speech that was never put into words costs nothing; a call whose line lives is ended by that
   * line alone.
   */
  release: (device: SignedInDevice, sessionId: string) => Promise<void>;
  /** A call is over, by its own line. */
  endCall: (device: SignedInDevice, end: CallEnd) => Promise<void>;
  /** Counts the speech of a conversation that this device holds now, or of its goodbye. Throws `live.elsewhere`, `quota.out`. */
  require: (device: SignedInDevice, sessionId: string) => Promise<SpeechMeter>;
  /** Said every `SIGN_OF_LIFE_MS` by a call's line, which lives. Throws the same. */
  keep: (device: SignedInDevice, sessionId: string) => Promise<void>;
}

export interface CallEnd {
  sessionId: string;
  /** When its line was opened. */
  since: Date;
  /** What goes by after this is not counted: no one was there to be served. */
  servedUntil: Date;
  /** Of the learner's speech on this line, as the server heard it. */
  spokenS: number;
  /** `dropped`: the connection broke. `failed`: on our side, so that nothing of this line is counted. */
  outcome: 'ended' | 'dropped' | 'failed';
}

export interface SpeechMeter {
  /** So much speech was put into words: a conversation costs at least as long as what was heard in it. */
  heard: (seconds: number) => Promise<void>;
  /** Speech could not be put into words, through no fault of the learner. */
  failed: () => Promise<void>;
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
export const UNHEARD_S = 5;

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
const UNCOUNTED: SpeechMeter = { heard: async () => undefined, failed: async () => undefined };

/** Until when it may have been talked in; `isAlive`: who asks is the one that holds it. */
function lastsUntil({ expiresAt, seenAt }: LeaseRow, isAlive: boolean): Date {
  return isAlive || seenAt === null ? expiresAt : earlier(expiresAt, secondsAfter(seenAt, UNHEARD_S));
}

function mustBeHeld(lease: LeaseRow | undefined, now: Date): LeaseRow {
  if (lease === undefined) throw failure('live.elsewhere');
  if (now > secondsAfter(lease.expiresAt, GOODBYE_S)) throw failure('quota.out');
  return lease;
}

const heldBy = (userId: string, deviceId: string, sessionId: string) =>
  and(eq(aiLeases.userId, userId), eq(aiLeases.deviceId, deviceId), eq(aiLeases.sessionId, sessionId));

/** A call's own line was heard of just now: no other request of its device may end it, or change what it counts as. */
const isCallAlive = ({ seenAt }: LeaseRow, now: Date): boolean =>
  seenAt !== null && now <= secondsAfter(seenAt, UNHEARD_S);

export function createLeases({ db, now, counts, planOf, ...parts }: LeaseParts): Leases {
  const afterCounting = parts.counted ?? (async () => () => undefined);

  /** Writes into the ledger what has gone by since it was last written, and no more than it lasts. Returns up to when. */
  async function count(tx: Database, lease: LeaseRow, until: Date): Promise<Date> {
    const seconds = secondsBetween(lease.countedUntil, earlier(now(), until));
    if (seconds === 0) return lease.countedUntil;
    await addSeconds(tx, lease, { from: lease.countedUntil, seconds });
    const countedUntil = secondsAfter(lease.countedUntil, seconds);
    await tx.update(aiLeases).set({ countedUntil }).where(eq(aiLeases.userId, lease.userId));
    return countedUntil;
  }

  const lockedLease = async (tx: Database, userId: string): Promise<LeaseRow | null> =>
    (await tx.select().from(aiLeases).where(eq(aiLeases.userId, userId)).for('update'))[0] ?? null;

  /** Gives back what no speech was served for. A call is settled by its own line. */
  async function settle(tx: Database, lease: LeaseRow): Promise<void> {
    if (lease.seenAt !== null) return;
    const unservedSince = lease.heardMs === 0 ? lease.beganAt : lease.isFailing ? lease.servedUntil : null;
    if (unservedSince !== null) await giveBackSince(tx, lease, unservedSince, 'unserved');
  }

  const leftFor = async (
    tx: Database,
    plan: PlanState,
    { userId, style, timeZone }: Pick<LeaseRow, 'userId' | 'style' | 'timeZone'>,
  ) => (await readAllowance(tx, { userId, ...plan, timeZone, now: now() }))[style];

  /** The lease, or what is left of the plan where that is nothing; what used it up stays counted. */
  async function lease(
    tx: Database,
    { userId, deviceId }: SignedInDevice,
    { sessionId, style, timeZone, takeOver, line, plan }: LeaseWish & { plan: PlanState },
  ): Promise<Lease | 'quota.out'> {
    const held = await lockedLease(tx, userId);
    const isOurs = held?.sessionId === sessionId && held.deviceId === deviceId;
    if (held !== null && held.expiresAt > now() && !isOurs && !takeOver) throw failure('live.elsewhere');
    if (held !== null && isOurs && line === undefined && isCallAlive(held, now())) {
      await count(tx, held, held.expiresAt);
      const remainingS = await leftFor(tx, plan, held);
      return remainingS === 0 ? 'quota.out' : { expiresAt: held.expiresAt.toISOString(), remainingS };
    }
    const until = held === null ? now() : lastsUntil(held, isOurs && line === 'lives');
    const counted = held === null ? null : await count(tx, held, until);
    const goesOn = isOurs && until > now() && held.style === style && (held.seenAt === null) === (line === undefined);
    if (held !== null && !goesOn) await settle(tx, held);
    const leftS = await leftFor(tx, plan, { userId, style, timeZone });
    if (leftS === 0) return 'quota.out';
    // Whoever asks again every moment would else never use up a second.
    const countedUntil = until > now() && counted !== null ? (goesOn ? counted : earlier(counted, now())) : now();
    const expiresAt = secondsAfter(now(), Math.min(LEASE_S, leftS));
    const began = { beganAt: countedUntil, heardMs: 0, servedUntil: null, isFailing: false };
    const row = {
      sessionId,
      deviceId,
      style,
      timeZone,
      countedUntil,
      expiresAt,
      seenAt: line === undefined ? null : now(),
      ...(goesOn ? {} : began),
    };
    await tx
      .insert(aiLeases)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: aiLeases.userId, set: row });
    return { expiresAt: expiresAt.toISOString(), remainingS: leftS };
  }

  /** Ends what this device holds of the session; `finish` counts it. */
  async function end(
    { userId, deviceId }: SignedInDevice,
    sessionId: string,
    finish: (tx: Database, held: LeaseRow) => Promise<boolean>,
  ): Promise<void> {
    const tell = await db.transaction(async (tx) => {
      const held = await lockedLease(tx, userId);
      if (held === null || held.sessionId !== sessionId || held.deviceId !== deviceId) return null;
      if (!(await finish(tx, held))) return null;
      await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
      return afterCounting(tx, userId);
    });
    tell?.();
  }

  async function settleCall(tx: Database, held: LeaseRow, call: CallEnd): Promise<void> {
    await count(tx, held, earlier(lastsUntil(held, true), call.servedUntil));
    if (call.outcome === 'failed') return giveBackSince(tx, held, call.since, 'back');
    // Time that was counted before it was known that no one was there.
    await giveBackSince(tx, held, call.servedUntil, 'unserved');
    if ((await servedSeconds(tx, held)) >= MIN_COUNTED_S) return;
    if (call.spokenS === 0 && held.heardMs === 0) return giveBackSince(tx, held, call.since, 'back');
    const localDay = localDays(held.timeZone)(now());
    const isForgiven =
      call.outcome === 'dropped' && (await forgivenDrops(tx, { userId: held.userId, localDay })) < FORGIVEN_DROPS_A_DAY;
    if (isForgiven) await giveBackSince(tx, held, call.since, 'dropped');
  }

  const meterOf = (asked: LeaseRow): SpeechMeter => ({
    async heard(seconds) {
      const { userId, deviceId, sessionId } = asked;
      const tell = await db.transaction(async (tx) => {
        const held = await lockedLease(tx, userId);
        const isOurs = held?.sessionId === sessionId && held.deviceId === deviceId && held.seenAt === null;
        if (isOurs) await countSpeech(tx, held, seconds);
        // It was heard all the same: a device that lets go in the meantime gets nothing for it.
        else
          await addSeconds(tx, asked, {
            from: secondsAfter(now(), -Math.round(seconds)),
            seconds: Math.round(seconds),
            id: `heard:${randomUUID()}`,
          });
        return afterCounting(tx, userId);
      });
      tell();
    },
    async failed() {
      const { userId, deviceId, sessionId } = asked;
      await db
        .update(aiLeases)
        .set({ isFailing: true })
        .where(heldBy(userId, deviceId, sessionId));
    },
  });

  /** Speech that took longer than the time that went by is counted ahead of it: an edited app sends hours of it in a minute. */
  async function countSpeech(tx: Database, held: LeaseRow, seconds: number): Promise<void> {
    const counted = await count(tx, held, held.expiresAt);
    const heardMs = held.heardMs + Math.round(seconds * 1_000);
    const aheadS = Math.floor(heardMs / 1_000) - secondsBetween(held.beganAt, counted);
    await addSeconds(tx, held, { from: counted, seconds: aheadS, id: 'heard' });
    const countedUntil = secondsAfter(counted, Math.max(0, aheadS));
    const served = { heardMs, countedUntil, servedUntil: countedUntil, isFailing: false };
    await tx.update(aiLeases).set(served).where(eq(aiLeases.userId, held.userId));
  }

  return {
    async take(device, wish) {
      if (!isKnownTimeZone(wish.timeZone)) throw failure('request.invalid', { field: 'timeZone' });
      if (!counts) return { expiresAt: secondsAfter(now(), LEASE_S).toISOString(), remainingS: null };
      const plan = await planOf(device.userId);
      const { leased, tell } = await db.transaction(async (tx) => {
        const taken = await lease(tx, device, { ...wish, plan });
        return { leased: taken, tell: await afterCounting(tx, device.userId) };
      });
      tell();
      if (leased === 'quota.out') throw failure('quota.out');
      return leased;
    },

    release: (device, sessionId) =>
      end(device, sessionId, async (tx, held) => {
        if (isCallAlive(held, now())) return false;
        await count(tx, held, lastsUntil(held, false));
        await settle(tx, held);
        return true;
      }),

    endCall: (device, call) =>
      end(device, call.sessionId, async (tx, held) => {
        await settleCall(tx, held, call);
        return true;
      }),

    async require({ userId, deviceId }, sessionId) {
      if (!counts) return UNCOUNTED;
      const [row] = await db
        .select()
        .from(aiLeases)
        .where(heldBy(userId, deviceId, sessionId));
      const held = mustBeHeld(row, now());
      // Counted ahead of time: the lease may last longer than the plan.
      if (held.countedUntil > now() && (await leftFor(db, await planOf(userId), held)) === 0)
        throw failure('quota.out');
      return meterOf(held);
    },

    async keep({ userId, deviceId }, sessionId) {
      if (!counts) return;
      const isTheirs = heldBy(userId, deviceId, sessionId);
      const [held] = await db.update(aiLeases).set({ seenAt: now() }).where(isTheirs).returning();
      mustBeHeld(held, now());
    },
  };
}
