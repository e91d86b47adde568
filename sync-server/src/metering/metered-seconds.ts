/** The ledger's entries of metered time: seconds are added as they pass, and refunds are negative entries. */
import { randomUUID } from 'node:crypto';
import {
  FREE_WORDLESS_S_PER_DAY,
  localDayFormatter,
  nextLocalDay,
  type PracticeStyle,
  type REFUNDED_SESSIONS_PER_DAY,
} from '@parley/domain';
import { and, eq, gt, gte, like, lte, notLike, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import { startOfUtcDay } from './budget.ts';

export interface MeteredSession {
  userId: string;
  sessionId: string;
  style: PracticeStyle;
  /** An IANA name. Each second belongs to a local day of the learner. */
  timeZone: string;
}

/**
 * Why seconds are refunded. `unserved`: the server served nothing. `back`: the server failed. `silent`: the learner
 * said nothing in a short session. `dropped`: the connection broke soon after the start. All but the first are limited
 * to a few a day.
 */
export type RefundReason = 'unserved' | GoodwillRefund;
type GoodwillRefund = keyof typeof REFUNDED_SESSIONS_PER_DAY;

/** Fractions of a second carry over to the next entry. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000));
export const secondsAfter = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);

interface Segment {
  from: Date;
  seconds: number;
  localDay: string;
}

/** Splits a span at the learner's midnight. Spans are too short to cover more than two days. */
function splitByLocalDay(from: Date, seconds: number, timeZone: string): Segment[] {
  const dayOf = localDayFormatter(timeZone);
  const [first, last] = [dayOf(from), dayOf(secondsAfter(from, seconds - 1))];
  if (first === last) return [{ from, seconds, localDay: first }];
  const before = Math.ceil((nextLocalDay(from, timeZone).getTime() - from.getTime()) / 1_000);
  return [
    { from, seconds: before, localDay: first },
    { from: secondsAfter(from, before), seconds: seconds - before, localDay: last },
  ];
}

/**
 * Adds seconds that start at `from`. The same start in the same session is added once; `id` distinguishes entries
 * outside a lease. Devices choose the ids of sessions, so an entry's id also contains the account. Ids from earlier
 * versions do not; only their first part is ever read.
 */
export async function addSeconds(
  tx: Database,
  { userId, sessionId, style, timeZone }: MeteredSession,
  { from, seconds, id = null }: { from: Date; seconds: number; id?: string | null },
): Promise<void> {
  if (seconds <= 0) return;
  const pieces = splitByLocalDay(from, seconds, timeZone).map((piece) => ({
    id: `live:${userId}:${sessionId}:${piece.from.getTime()}${id === null ? '' : `:${id}`}`,
    userId,
    sessionId,
    style,
    use: 'live' as const,
    seconds: piece.seconds,
    localDay: piece.localDay,
    at: secondsAfter(piece.from, piece.seconds),
  }));
  await tx.insert(aiUsage).values(pieces).onConflictDoNothing();
}

const sumOfSeconds = sql<string>`coalesce(sum(${aiUsage.seconds}), 0)`;

const isOfSession = (userId: string, sessionId: string) =>
  and(eq(aiUsage.userId, userId), eq(aiUsage.sessionId, sessionId), eq(aiUsage.use, 'live'));

/**
 * Refunds the session's seconds after `since`, entry by entry, so that each day and period is credited with its own.
 * `until` excludes the time of another connection, which begins with an entry of its own.
 */
export async function refundSince(
  tx: Database,
  { userId, sessionId }: Pick<MeteredSession, 'userId' | 'sessionId'>,
  { since, until }: { since: Date; until?: Date | undefined },
  refund: RefundReason,
): Promise<void> {
  const entries = await tx
    .select()
    .from(aiUsage)
    .where(and(isOfSession(userId, sessionId), gt(aiUsage.at, since), until && lte(aiUsage.at, until)));
  const refundedById = new Map<string, number>();
  for (const { id, seconds } of entries)
    if (seconds < 0) refundedById.set(refundedEntryIdOf(id), (refundedById.get(refundedEntryIdOf(id)) ?? 0) - seconds);
  const refunds = entries.flatMap((entry) => {
    const after = Math.min(entry.seconds - (refundedById.get(entry.id) ?? 0), secondsBetween(since, entry.at));
    return entry.seconds > 0 && after > 0 ? [{ ...entry, id: `${refund}:${entry.id}`, seconds: -after }] : [];
  });
  if (refunds.length > 0) await tx.insert(aiUsage).values(refunds).onConflictDoNothing();
}

/** The id of the entry that a refund belongs to. */
const refundedEntryIdOf = (refundId: string): string => refundId.slice(refundId.indexOf(':') + 1);

const GOODWILL_AND_FAILURES: readonly RefundReason[] = ['back', 'silent', 'dropped'];

/**
 * The served seconds of a session, including seconds that were refunded as goodwill, so that a session cannot be refunded in small parts.
 */
export async function readServedSeconds(
  tx: Database,
  { userId, sessionId }: Pick<MeteredSession, 'userId' | 'sessionId'>,
): Promise<number> {
  const [sum] = await tx
    .select({ seconds: sumOfSeconds })
    .from(aiUsage)
    .where(
      and(isOfSession(userId, sessionId), ...GOODWILL_AND_FAILURES.map((refund) => notLike(aiUsage.id, `${refund}:%`))),
    );
  return Number(sum?.seconds ?? 0);
}

/** The number of the learner's sessions that were refunded for this reason. Earlier versions recorded silent sessions as `back`. */
export async function countRefundedSessions(
  tx: Database,
  { userId, refund, since }: { userId: string; refund: GoodwillRefund; since: Date },
): Promise<number> {
  const [count] = await tx
    .select({ sessions: sql<string>`count(distinct ${aiUsage.sessionId})` })
    .from(aiUsage)
    .where(
      and(eq(aiUsage.userId, userId), eq(aiUsage.use, 'live'), gte(aiUsage.at, since), like(aiUsage.id, `${refund}:%`)),
    );
  return Number(count?.sessions ?? 0);
}

/**
 * Records audio without words, for which providers charge as for speech. Returns the seconds beyond the learner's free
 * ones of the UTC day, which get an entry of their own. The caller must hold the learner's lease, so that two
 * recordings never share the same free seconds.
 */
export async function addWordlessSeconds(
  tx: Database,
  { userId, sessionId, style, timeZone }: MeteredSession,
  { seconds, now }: { seconds: number; now: Date },
): Promise<number> {
  const [sum] = await tx
    .select({ seconds: sumOfSeconds })
    .from(aiUsage)
    .where(and(eq(aiUsage.userId, userId), eq(aiUsage.use, 'wordless'), gte(aiUsage.at, startOfUtcDay(now))));
  const freeS = Math.max(0, FREE_WORDLESS_S_PER_DAY - Number(sum?.seconds ?? 0));
  const sentS = Math.ceil(seconds);
  const chargedS = Math.max(0, sentS - freeS);
  const entry = {
    userId,
    sessionId,
    style,
    use: 'wordless',
    localDay: localDayFormatter(timeZone)(now),
    at: now,
  } as const;
  const entries = [
    { ...entry, id: `wordless:${randomUUID()}`, seconds: sentS - chargedS },
    { ...entry, id: `${CHARGED_WORDLESS}${randomUUID()}`, seconds: chargedS },
  ];
  await tx.insert(aiUsage).values(entries.filter((added) => added.seconds > 0));
  return chargedS;
}

const CHARGED_WORDLESS = 'wordless_charged:';

/** The session's audio without words since this lease began, beyond the free seconds. */
export async function readChargedWordlessSeconds(
  tx: Database,
  { userId, sessionId, beganAt }: Pick<MeteredSession, 'userId' | 'sessionId'> & { beganAt: Date },
): Promise<number> {
  const [sum] = await tx
    .select({ seconds: sumOfSeconds })
    .from(aiUsage)
    .where(
      and(
        eq(aiUsage.userId, userId),
        eq(aiUsage.sessionId, sessionId),
        eq(aiUsage.use, 'wordless'),
        gte(aiUsage.at, beganAt),
        like(aiUsage.id, `${CHARGED_WORDLESS}%`),
      ),
    );
  return Number(sum?.seconds ?? 0);
}
