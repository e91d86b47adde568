/** The ledger's entries of live conversation: seconds are added as they go by, and given back by entries that take them away again. */
import { localDays, nextLocalDay, type PracticeStyle } from '@parley/domain';
import { and, eq, gt, notLike, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';

export interface LiveSession {
  userId: string;
  sessionId: string;
  style: PracticeStyle;
  /** IANA name: each second belongs to the learner's calendar day. */
  timeZone: string;
}

/**
 * Why seconds are given back. `unserved`: the server served nothing in them. `back`: the conversation failed on our side, or was too short to
 * count. `dropped`: its connection broke soon after it began, which is forgiven a few times a day.
 */
export type Refund = 'unserved' | 'back' | 'dropped';

/** Begun seconds are left to the next entry. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000));
export const secondsAfter = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);

interface Piece {
  from: Date;
  seconds: number;
  localDay: string;
}

/** Each second belongs to the learner's day in which it begins; what is added at once is too short for more than two days. */
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

/** Adds seconds that begin at `from`. The same beginning of the same session is added once; `id` names what has no place in a lease. */
export async function addSeconds(
  tx: Database,
  { userId, sessionId, style, timeZone }: LiveSession,
  { from, seconds, id = null }: { from: Date; seconds: number; id?: string | null },
): Promise<void> {
  if (seconds <= 0) return;
  const pieces = byLocalDay(from, seconds, timeZone).map((piece) => ({
    id: `live:${sessionId}:${piece.from.getTime()}${id === null ? '' : `:${id}`}`,
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

const ofSession = (userId: string, sessionId: string) =>
  and(eq(aiUsage.userId, userId), eq(aiUsage.sessionId, sessionId), eq(aiUsage.use, 'live'));

/** Gives back the session's seconds after `since`, entry by entry, so that each day and each period gets back what it gave. */
export async function giveBackSince(
  tx: Database,
  { userId, sessionId }: Pick<LiveSession, 'userId' | 'sessionId'>,
  since: Date,
  refund: Refund,
): Promise<void> {
  const entries = await tx
    .select()
    .from(aiUsage)
    .where(and(ofSession(userId, sessionId), gt(aiUsage.at, since)));
  const backById = new Map<string, number>();
  for (const { id, seconds } of entries)
    if (seconds < 0) backById.set(entryOf(id), (backById.get(entryOf(id)) ?? 0) - seconds);
  const refunds = entries.flatMap((entry) => {
    const after = Math.min(entry.seconds - (backById.get(entry.id) ?? 0), secondsBetween(since, entry.at));
    return entry.seconds > 0 && after > 0 ? [{ ...entry, id: `${refund}:${entry.id}`, seconds: -after }] : [];
  });
  if (refunds.length > 0) await tx.insert(aiUsage).values(refunds).onConflictDoNothing();
}

/** The entry that an id of a refund names. */
const entryOf = (refundId: string): string => refundId.slice(refundId.indexOf(':') + 1);

/** Seconds in which a session was served, those given back out of goodwill among them: so none is given back piece by piece. */
export async function servedSeconds(
  tx: Database,
  { userId, sessionId }: Pick<LiveSession, 'userId' | 'sessionId'>,
): Promise<number> {
  const [sum] = await tx
    .select({ seconds: sql<string>`coalesce(sum(${aiUsage.seconds}), 0)` })
    .from(aiUsage)
    .where(and(ofSession(userId, sessionId), notLike(aiUsage.id, 'back:%'), notLike(aiUsage.id, 'dropped:%')));
  return Number(sum?.seconds ?? 0);
}

/** Conversations that were forgiven on the learner's day because their connection broke. */
export async function forgivenDrops(
  tx: Database,
  { userId, localDay }: { userId: string; localDay: string },
): Promise<number> {
  const [count] = await tx
    .select({ sessions: sql<string>`count(distinct ${aiUsage.sessionId})` })
    .from(aiUsage)
    .where(
      and(
        eq(aiUsage.userId, userId),
        eq(aiUsage.use, 'live'),
        eq(aiUsage.localDay, localDay),
        sql`${aiUsage.id} like 'dropped:%'`,
      ),
    );
  return Number(count?.sessions ?? 0);
}
