/**
 * Leases realtime and turn-based minutes, one lease per account. Time is counted in the ledger while it passes, never beyond the lease, so
 * a device that vanishes costs at most a minute. A realtime session sends heartbeats, so one that dies with its server costs seconds.
 * Refunds depend only on what the server served, never on what a device reports.
 */
import { randomUUID } from 'node:crypto';
import type { Lease } from '@parley/contract';
import {
  GOODBYE_GRACE_S,
  isKnownTimeZone,
  LEASE_S,
  MIN_METERED_S,
  REFUNDED_SESSIONS_PER_DAY,
  type PracticeStyle,
} from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { PlanState, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiLeases } from '../db/metering-tables.ts';
import { DomainError } from '../domain-error.ts';
import { readRemainingSeconds } from './allowance.ts';
import { startOfUtcDay } from './budget.ts';
import {
  addSeconds,
  addWordlessSeconds,
  countRefundedSessions,
  readChargedWordlessSeconds,
  refundSince,
  secondsAfter,
  secondsBetween,
  readServedSeconds,
} from './metered-seconds.ts';

export interface LeaseRequest {
  sessionId: string;
  style: PracticeStyle;
  timeZone: string;
  takeOver: boolean;
  /**
   * Set by a realtime session: its connection has just opened, or is still alive. Absent when a device asks on its own.
   */
  connection?: { id: string; state: 'begins' | 'lives' };
}

export interface Leases {
  /** Acquires or renews the lease. Throws `live.elsewhere` and `quota.out`. */
  acquire: (device: SignedInDevice, request: LeaseRequest) => Promise<Lease>;
  /**
   * Releases the lease at the device's request, at the end or for a pause. Time without transcribed speech costs nothing. While a realtime
   * session's connection is alive, only that connection can end its lease.
   */
  release: (device: SignedInDevice, sessionId: string) => Promise<void>;
  /** Ends a realtime session's lease, called by its own connection. The lease stays when another connection has taken it over. */
  endRealtimeSession: (device: SignedInDevice, end: RealtimeSessionEnd) => Promise<void>;
  /**
   * Returns the meter for speech in a session that this device holds, including its last minute for saying goodbye. Throws `live.elsewhere`
   * and `quota.out`.
   */
  requireHeld: (device: SignedInDevice, sessionId: string) => Promise<SpeechUsageMeter>;
  /** The heartbeat of a realtime session, sent every few seconds by its connection. Throws the same codes. */
  heartbeat: (device: SignedInDevice, call: Pick<RealtimeSessionEnd, 'sessionId' | 'connectionId'>) => Promise<void>;
}

export interface RealtimeSessionEnd {
  sessionId: string;
  connectionId: string;
  /** When the connection was opened. */
  since: Date;
  /** Time after this is not counted, because nothing was served. */
  servedUntil: Date;
  /** The learner's speech on this connection, as measured by the server. */
  spokenS: number;
  /** `dropped`: the connection broke. `failed`: the server failed, so nothing of this connection is counted. */
  outcome: 'ended' | 'dropped' | 'failed';
}

export interface SpeechUsageMeter {
  /** Records transcribed speech. A session costs at least as much time as the speech in it. */
  recordSpeech: (seconds: number) => Promise<void>;
  /** Records audio that was sent to be transcribed and in which no words were found. It is free up to a daily limit. */
  recordWordless: (seconds: number) => Promise<void>;
  /** Records that transcribing failed through no fault of the learner. */
  recordFailure: () => Promise<void>;
}

export interface LeaseParts {
  db: Database;
  now: () => Date;
  /** Whether plans limit the time. A private server does not meter usage. */
  isMetered: boolean;
  planOf: (userId: string) => Promise<PlanState>;
  /** Called in the transaction that counted time. Returns what must run after the commit. */
  onUsageRecorded?: (tx: Database, userId: string) => Promise<() => void>;
}

type LeaseRow = typeof aiLeases.$inferSelect;

export const HEARTBEAT_INTERVAL_MS = 3_000;
/**
 * A live connection sends heartbeats more often than this. The limit keeps short on the time that a learner could gain by reopening
 * connections, and excludes the gap before a session is resumed.
 */
export const HEARTBEAT_TIMEOUT_S = 5;

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
const later = (one: Date, other: Date): Date => (one > other ? one : other);
const UNMETERED: SpeechUsageMeter = {
  recordSpeech: async () => undefined,
  recordWordless: async () => undefined,
  recordFailure: async () => undefined,
};

/** When the lease ends. A holder whose connection is alive keeps the whole lease. */
function leaseEndOf({ expiresAt, seenAt }: LeaseRow, isAlive: boolean): Date {
  return isAlive || seenAt === null ? expiresAt : earlier(expiresAt, secondsAfter(seenAt, HEARTBEAT_TIMEOUT_S));
}

function assertHeld(lease: LeaseRow | undefined, now: Date): LeaseRow {
  if (lease === undefined) throw new DomainError('live.elsewhere');
  if (now > secondsAfter(lease.expiresAt, GOODBYE_GRACE_S)) throw new DomainError('quota.out');
  return lease;
}

/** The least that a turn-based lease costs: the speech in it, and its audio without words beyond the free seconds. */
const readSentSeconds = async (tx: Database, lease: LeaseRow): Promise<number> =>
  Math.floor(lease.heardMs / 1_000) + (await readChargedWordlessSeconds(tx, lease));

const isHeldBy = (userId: string, deviceId: string, sessionId: string) =>
  and(eq(aiLeases.userId, userId), eq(aiLeases.deviceId, deviceId), eq(aiLeases.sessionId, sessionId));

/** Whether the realtime session's connection was alive just now. Then no other request of its device may end it or change its style. */
const isConnectionAlive = ({ seenAt }: LeaseRow, now: Date): boolean =>
  seenAt !== null && now <= secondsAfter(seenAt, HEARTBEAT_TIMEOUT_S);

export function createLeases({ db, now, isMetered, planOf, ...parts }: LeaseParts): Leases {
  const afterUsageRecorded = parts.onUsageRecorded ?? (async () => () => undefined);

  /** Adds the time since the last entry to the ledger, at most until the lease ends. Returns the new end of the counted time. */
  async function countUntil(tx: Database, lease: LeaseRow, until: Date): Promise<Date> {
    const seconds = secondsBetween(lease.countedUntil, earlier(now(), until));
    if (seconds === 0) return lease.countedUntil;
    await addSeconds(tx, lease, { from: lease.countedUntil, seconds });
    const countedUntil = secondsAfter(lease.countedUntil, seconds);
    await tx.update(aiLeases).set({ countedUntil }).where(eq(aiLeases.userId, lease.userId));
    return countedUntil;
  }

  const lockLease = async (tx: Database, userId: string): Promise<LeaseRow | null> =>
    (await tx.select().from(aiLeases).where(eq(aiLeases.userId, userId)).for('update'))[0] ?? null;

  /** Refunds time in which no speech was served. A realtime session is settled by its own connection. */
  async function refundUnserved(tx: Database, lease: LeaseRow): Promise<void> {
    if (lease.seenAt !== null || (lease.heardMs > 0 && !lease.isFailing)) return;
    const sentUntil = secondsAfter(lease.beganAt, await readSentSeconds(tx, lease));
    await refundSince(tx, lease, { since: later(lease.servedUntil ?? lease.beganAt, sentUntil) }, 'unserved');
  }

  const readRemaining = async (
    tx: Database,
    plan: PlanState,
    { userId, style, timeZone }: Pick<LeaseRow, 'userId' | 'style' | 'timeZone'>,
  ) => (await readRemainingSeconds(tx, { userId, ...plan, timeZone, now: now() }))[style];

  /** Returns the new lease, or `quota.out` when nothing is left. The time that used it up stays counted. */
  async function acquireInTransaction(
    tx: Database,
    { userId, deviceId }: SignedInDevice,
    { sessionId, style, timeZone, takeOver, connection, plan }: LeaseRequest & { plan: PlanState },
  ): Promise<Lease | 'quota.out'> {
    const held = await lockLease(tx, userId);
    const isOurs = held?.sessionId === sessionId && held.deviceId === deviceId;
    if (held !== null && held.expiresAt > now() && !isOurs && !takeOver) throw new DomainError('live.elsewhere');
    // Two nodes may have opened a connection each.
    if (held !== null && held.expiresAt > now() && connection?.state === 'lives' && held.connectionId !== connection.id)
      throw new DomainError('live.elsewhere');
    if (held !== null && isOurs && connection === undefined && isConnectionAlive(held, now())) {
      await countUntil(tx, held, held.expiresAt);
      const remainingS = await readRemaining(tx, plan, held);
      return remainingS === 0 ? 'quota.out' : { expiresAt: held.expiresAt.toISOString(), remainingS };
    }
    const until = held === null ? now() : leaseEndOf(held, isOurs && connection?.state === 'lives');
    const counted = held === null ? null : await countUntil(tx, held, until);
    const goesOn = isOurs && until > now() && held.style === style && held.connectionId === (connection?.id ?? null);
    if (held !== null && !goesOn) await refundUnserved(tx, held);
    const leftS = await readRemaining(tx, plan, { userId, style, timeZone });
    if (leftS === 0) return 'quota.out';
    // Without this, a device that renews several times a second would never use up a whole second.
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
      seenAt: connection === undefined ? null : now(),
      connectionId: connection?.id ?? null,
      ...(goesOn ? {} : began),
    };
    await tx
      .insert(aiLeases)
      .values({ userId, ...row })
      .onConflictDoUpdate({ target: aiLeases.userId, set: row });
    return { expiresAt: expiresAt.toISOString(), remainingS: leftS };
  }

  /** Ends this device's lease on the session after `finish` has settled it, unless something else goes on with it. */
  async function endLease(
    { userId, deviceId }: SignedInDevice,
    sessionId: string,
    finish: (tx: Database, held: LeaseRow) => Promise<'released' | 'kept'>,
  ): Promise<void> {
    const tell = await db.transaction(async (tx) => {
      const held = await lockLease(tx, userId);
      if (held === null || held.sessionId !== sessionId || held.deviceId !== deviceId) return null;
      const settled = await finish(tx, held);
      if (settled === 'released') await tx.delete(aiLeases).where(eq(aiLeases.userId, userId));
      return afterUsageRecorded(tx, userId);
    });
    tell?.();
  }

  async function settleRealtimeSession(tx: Database, held: LeaseRow, call: RealtimeSessionEnd): Promise<void> {
    const isTakenOver = held.connectionId !== call.connectionId;
    if (!isTakenOver) await countUntil(tx, held, earlier(leaseEndOf(held, true), call.servedUntil));
    const until = isTakenOver ? held.beganAt : undefined;
    const isRefundable = async (refund: keyof typeof REFUNDED_SESSIONS_PER_DAY): Promise<boolean> => {
      const since = startOfUtcDay(now());
      const refunded = await countRefundedSessions(tx, { userId: held.userId, refund, since });
      return refunded < REFUNDED_SESSIONS_PER_DAY[refund];
    };
    // A learner can make a provider fail, for example by saying what it refuses, so failures have a daily limit as well.
    if (call.outcome === 'failed' && (await isRefundable('back')))
      return refundSince(tx, held, { since: call.since, until }, 'back');
    // Refunds time that was counted before the server knew that the learner was gone.
    await refundSince(tx, held, { since: call.servedUntil, until }, 'unserved');
    if ((await readServedSeconds(tx, held)) >= MIN_METERED_S) return;
    // Even a silent call costs a greeting, so each kind of goodwill has a daily limit.
    const refund = call.spokenS === 0 && held.heardMs === 0 ? 'silent' : call.outcome === 'dropped' ? 'dropped' : null;
    if (refund === null) return;
    if (await isRefundable(refund)) await refundSince(tx, held, { since: call.since, until }, refund);
  }

  const createSpeechMeter = (asked: LeaseRow): SpeechUsageMeter => ({
    async recordSpeech(seconds) {
      const tell = await db.transaction(async (tx) => {
        await countAudio(tx, asked, { held: await lockLease(tx, asked.userId), seconds, words: 'heard' });
        return afterUsageRecorded(tx, asked.userId);
      });
      tell();
    },
    async recordWordless(seconds) {
      const tell = await db.transaction(async (tx) => {
        const held = await lockLease(tx, asked.userId);
        const chargedS = await addWordlessSeconds(tx, asked, { seconds, now: now() });
        if (chargedS > 0) await countAudio(tx, asked, { held, seconds: chargedS, words: 'none' });
        return afterUsageRecorded(tx, asked.userId);
      });
      tell();
    },
    async recordFailure() {
      const { userId, deviceId, sessionId } = asked;
      await db
        .update(aiLeases)
        .set({ isFailing: true })
        .where(isHeldBy(userId, deviceId, sessionId));
    },
  });

  /** Audio that was transcribed is counted even when the device has released its lease in the meantime. */
  async function countAudio(
    tx: Database,
    asked: LeaseRow,
    { held, seconds, words }: { held: LeaseRow | null; seconds: number; words: 'heard' | 'none' },
  ): Promise<void> {
    const isOurs = held?.sessionId === asked.sessionId && held.deviceId === asked.deviceId && held.seenAt === null;
    if (isOurs && words === 'heard') return recordSpeechInLease(tx, held, seconds);
    if (isOurs) await countSent(tx, held);
    else
      await addSeconds(tx, asked, {
        from: secondsAfter(now(), -Math.round(seconds)),
        seconds: Math.round(seconds),
        id: `heard:${randomUUID()}`,
      });
  }

  async function recordSpeechInLease(tx: Database, held: LeaseRow, seconds: number): Promise<void> {
    const heardMs = held.heardMs + Math.round(seconds * 1_000);
    const servedUntil = await countSent(tx, { ...held, heardMs });
    await tx.update(aiLeases).set({ heardMs, servedUntil, isFailing: false }).where(eq(aiLeases.userId, held.userId));
  }

  /**
   * Audio that is longer than the elapsed time is counted in advance, because a modified app could send hours of it in a minute. Returns
   * the new end of the counted time.
   */
  async function countSent(tx: Database, lease: LeaseRow): Promise<Date> {
    const counted = await countUntil(tx, lease, lease.expiresAt);
    const aheadS = (await readSentSeconds(tx, lease)) - secondsBetween(lease.beganAt, counted);
    if (aheadS <= 0) return counted;
    await addSeconds(tx, lease, { from: counted, seconds: aheadS, id: 'heard' });
    const countedUntil = secondsAfter(counted, aheadS);
    await tx.update(aiLeases).set({ countedUntil }).where(eq(aiLeases.userId, lease.userId));
    return countedUntil;
  }

  return {
    async acquire(device, request) {
      if (!isKnownTimeZone(request.timeZone)) throw new DomainError('request.invalid', { field: 'timeZone' });
      if (!isMetered) return { expiresAt: secondsAfter(now(), LEASE_S).toISOString(), remainingS: null };
      const plan = await planOf(device.userId);
      const { leased, tell } = await db.transaction(async (tx) => {
        const taken = await acquireInTransaction(tx, device, { ...request, plan });
        return { leased: taken, tell: await afterUsageRecorded(tx, device.userId) };
      });
      tell();
      if (leased === 'quota.out') throw new DomainError('quota.out');
      return leased;
    },

    release: (device, sessionId) =>
      endLease(device, sessionId, async (tx, held) => {
        if (isConnectionAlive(held, now())) return 'kept';
        await countUntil(tx, held, leaseEndOf(held, false));
        await refundUnserved(tx, held);
        return 'released';
      }),

    endRealtimeSession: (device, call) =>
      endLease(device, call.sessionId, async (tx, held) => {
        await settleRealtimeSession(tx, held, call);
        return held.connectionId === call.connectionId ? 'released' : 'kept';
      }),

    async requireHeld({ userId, deviceId }, sessionId) {
      if (!isMetered) return UNMETERED;
      const [row] = await db
        .select()
        .from(aiLeases)
        .where(isHeldBy(userId, deviceId, sessionId));
      const held = assertHeld(row, now());
      // Time was counted in advance, so the plan may be used up before the lease ends.
      if (held.countedUntil > now() && (await readRemaining(db, await planOf(userId), held)) === 0)
        throw new DomainError('quota.out');
      return createSpeechMeter(held);
    },

    async heartbeat({ userId, deviceId }, { sessionId, connectionId }) {
      if (!isMetered) return;
      const isTheirs = and(isHeldBy(userId, deviceId, sessionId), eq(aiLeases.connectionId, connectionId));
      const [held] = await db.update(aiLeases).set({ seenAt: now() }).where(isTheirs).returning();
      assertHeld(held, now());
    },
  };
}
