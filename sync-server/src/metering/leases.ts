/**
 * Leases realtime and turn-based minutes, one lease per account. Time is counted in the ledger as it passes, never
 * beyond the lease, so a device that vanishes costs at most a minute. A realtime session sends heartbeats, so one that
 * dies with its server costs seconds. Refunds depend only on what the server served, never on what a device reports.
 */
import type { Lease } from '@parley/contract';
import { GOODBYE_GRACE_S, isKnownTimeZone, LEASE_S, type PracticeStyle } from '@parley/domain';
import { and, eq, sql } from 'drizzle-orm';
import type { PlanState, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiLeases } from '../db/metering-tables.ts';
import { DomainError } from '../domain-error.ts';
import { readRemainingSeconds } from './allowance.ts';
import {
  createLeaseTime,
  earlier,
  isConnectionAlive,
  leaseEndOf,
  type LeaseRow,
  type RealtimeSessionEnd,
} from './lease-time.ts';
import { addWordlessSeconds, secondsAfter } from './metered-seconds.ts';

export interface LeaseRequest {
  sessionId: string;
  style: PracticeStyle;
  timeZone: string;
  takeOver: boolean;
  /**
   * Set by a realtime session: its connection has just opened, or is still alive. Absent when a device makes the
   * request on its own.
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
   * Returns the meter for speech in a session that this device holds, including its last minute for the goodbye. Throws
   * `live.elsewhere` and `quota.out`.
   */
  requireHeld: (device: SignedInDevice, sessionId: string) => Promise<SpeechUsageMeter>;
  /** The heartbeat of a realtime session, sent every few seconds by its connection. Throws the same codes. */
  heartbeat: (device: SignedInDevice, call: Pick<RealtimeSessionEnd, 'sessionId' | 'connectionId'>) => Promise<void>;
}

export interface SpeechUsageMeter {
  /** Records transcribed speech. A session costs at least as much time as the speech in it. */
  recordSpeech: (seconds: number) => Promise<void>;
  /** Records audio that was sent for transcription and in which no words were found. It is free up to a daily limit. */
  recordWordless: (seconds: number) => Promise<void>;
  /** Records that transcription failed through no fault of the learner. */
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

export const HEARTBEAT_INTERVAL_MS = 3_000;

const UNMETERED: SpeechUsageMeter = {
  recordSpeech: async () => undefined,
  recordWordless: async () => undefined,
  recordFailure: async () => undefined,
};

function assertHeld(lease: LeaseRow | undefined, now: Date): LeaseRow {
  if (lease === undefined) throw new DomainError('live.elsewhere');
  if (now > secondsAfter(lease.expiresAt, GOODBYE_GRACE_S)) throw new DomainError('quota.out');
  return lease;
}

const isHeldBy = (userId: string, deviceId: string, sessionId: string) =>
  and(eq(aiLeases.userId, userId), eq(aiLeases.deviceId, deviceId), eq(aiLeases.sessionId, sessionId));

export function createLeases({ db, now, isMetered, planOf, ...parts }: LeaseParts): Leases {
  const { countUntil, countAudio, refundUnserved, settleRealtimeSession } = createLeaseTime(now);
  const afterUsageRecorded = parts.onUsageRecorded ?? (async () => () => undefined);

  const lockLease = async (tx: Database, userId: string): Promise<LeaseRow | null> =>
    (await tx.select().from(aiLeases).where(eq(aiLeases.userId, userId)).for('update'))[0] ?? null;

  /** Before the first lease there is no row to lock, so several requests would each get one. */
  const lockFirstLease = async (tx: Database, userId: string): Promise<LeaseRow | null> => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lease ${userId}`}, 0))`);
    return lockLease(tx, userId);
  };

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
    const held = (await lockLease(tx, userId)) ?? (await lockFirstLease(tx, userId));
    const isOurs = held?.sessionId === sessionId && held.deviceId === deviceId;
    if (held !== null && held.expiresAt > now() && !isOurs && !takeOver) throw new DomainError('live.elsewhere');
    // Each of two nodes may have opened a connection.
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

  /** Ends this device's lease on the session after `finish` has settled it, unless the lease is still in use. */
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
