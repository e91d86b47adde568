/**
 * Counts the time of a lease in the ledger, and refunds time that was not served. Every function runs in the
 * transaction that has locked the lease.
 */
import { randomUUID } from 'node:crypto';
import { MIN_METERED_S, REFUNDED_SESSIONS_PER_DAY } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiLeases } from '../db/metering-tables.ts';
import { startOfUtcDay } from './budget.ts';
import {
  addSeconds,
  countRefundedSessions,
  readChargedWordlessSeconds,
  readServedSeconds,
  refundSince,
  secondsAfter,
  secondsBetween,
} from './metered-seconds.ts';

export type LeaseRow = typeof aiLeases.$inferSelect;

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

export interface LeaseTime {
  /** Adds the time since the last entry to the ledger, at most until the lease ends. Returns the new end of the counted time. */
  countUntil(tx: Database, lease: LeaseRow, until: Date): Promise<Date>;
  /** Audio that was transcribed is counted even if the device has released its lease in the meantime. */
  countAudio(
    tx: Database,
    asked: LeaseRow,
    audio: { held: LeaseRow | null; seconds: number; words: 'heard' | 'none' },
  ): Promise<void>;
  /** Refunds time in which no speech was served. A realtime session is settled by its own connection. */
  refundUnserved(tx: Database, lease: LeaseRow): Promise<void>;
  settleRealtimeSession(tx: Database, held: LeaseRow, call: RealtimeSessionEnd): Promise<void>;
}

/**
 * A live connection sends heartbeats more often than this. The limit bounds the time that a learner could gain by
 * reopening connections, and excludes the gap before a session is resumed.
 */
export const HEARTBEAT_TIMEOUT_S = 5;

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** When the lease ends. A holder whose connection is alive keeps the whole lease. */
export function leaseEndOf({ expiresAt, seenAt }: LeaseRow, isAlive: boolean): Date {
  return isAlive || seenAt === null ? expiresAt : earlier(expiresAt, secondsAfter(seenAt, HEARTBEAT_TIMEOUT_S));
}

/**
 * Whether the realtime session's connection was alive a moment ago. In that case, no other request of its device may
 * end it or change its style.
 */
export const isConnectionAlive = ({ seenAt }: LeaseRow, now: Date): boolean =>
  seenAt !== null && now <= secondsAfter(seenAt, HEARTBEAT_TIMEOUT_S);

/** The minimum cost of a turn-based lease: the speech in it, plus its audio without words beyond the free seconds. */
const readSentSeconds = async (tx: Database, lease: LeaseRow): Promise<number> =>
  Math.floor(lease.heardMs / 1_000) + (await readChargedWordlessSeconds(tx, lease));

export function createLeaseTime(now: () => Date): LeaseTime {
  async function countUntil(tx: Database, lease: LeaseRow, until: Date): Promise<Date> {
    const seconds = secondsBetween(lease.countedUntil, earlier(now(), until));
    if (seconds === 0) return lease.countedUntil;
    await addSeconds(tx, lease, { from: lease.countedUntil, seconds });
    const countedUntil = secondsAfter(lease.countedUntil, seconds);
    await tx.update(aiLeases).set({ countedUntil }).where(eq(aiLeases.userId, lease.userId));
    return countedUntil;
  }

  async function refundUnserved(tx: Database, lease: LeaseRow): Promise<void> {
    if (lease.seenAt !== null || (lease.heardMs > 0 && !lease.isFailing)) return;
    const sentUntil = secondsAfter(lease.beganAt, await readSentSeconds(tx, lease));
    await refundSince(tx, lease, { since: later(lease.servedUntil ?? lease.beganAt, sentUntil) }, 'unserved');
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
    // A learner can make a provider fail, for example by saying something that it refuses, so refunds for failures have
    // a daily limit as well.
    if (call.outcome === 'failed' && (await isRefundable('back')))
      return refundSince(tx, held, { since: call.since, until }, 'back');
    // Refunds time that was counted before the server noticed that the learner was gone.
    await refundSince(tx, held, { since: call.servedUntil, until }, 'unserved');
    if ((await readServedSeconds(tx, held)) >= MIN_METERED_S) return;
    // Even a silent call costs a greeting, so each kind of goodwill refund has a daily limit.
    const refund = call.spokenS === 0 && held.heardMs === 0 ? 'silent' : call.outcome === 'dropped' ? 'dropped' : null;
    if (refund === null) return;
    if (await isRefundable(refund)) await refundSince(tx, held, { since: call.since, until }, refund);
  }

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

  return { countUntil, countAudio, refundUnserved, settleRealtimeSession };
}
