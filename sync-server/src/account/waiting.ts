/** Who has asked to be let in and since when, and from whom access was taken: the newest of what was asked and decided counts. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { accountDeletions, auditLog, tables } from '../db/tables.ts';

const DECISIVE = ['access_requested', 'access_granted', 'access_revoked'] as const;

/** By learner; who does not wait is not in it. */
export async function readWaitingSince(db: Database, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await readNewest(db, userIds);
  return new Map(
    rows.flatMap(({ subjectId, act, at }) => (act === 'access_requested' ? [[subjectId, at] as const] : [])),
  );
}

export interface AccessStanding {
  waitingSince: Date | null;
  taken: { at: Date; reason: string | null } | null;
}

/** Of one who has no access. */
export async function readStanding(db: Database, userId: string): Promise<AccessStanding> {
  const [newest] = await readNewest(db, [userId]);
  const { act, at, reason } = newest ?? { act: null, at: new Date(0), reason: null };
  return {
    waitingSince: act === 'access_requested' ? at : null,
    taken: act === 'access_revoked' ? { at, reason } : null,
  };
}

async function readNewest(db: Database, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return (
    db
      .selectDistinctOn([auditLog.subjectId])
      .from(auditLog)
      .where(and(inArray(auditLog.subjectId, [...userIds]), inArray(auditLog.act, [...DECISIVE])))
      // Of one moment, the request came first.
      .orderBy(auditLog.subjectId, desc(auditLog.at), asc(auditLog.act))
  );
}

export interface Waiting {
  /** At least one. */
  count: number;
  firstAskedAt: Date;
  lastAskedAt: Date;
}

/** All who asked by then and still wait, whom somebody could let in; null: nobody. */
export async function readWaiting(db: Database, askedBy: Date): Promise<Waiting | null> {
  const { users } = tables;
  // By learner, on the index of the log: most of it is of people who wait for nothing.
  const newest = db
    .select({ act: auditLog.act, at: auditLog.at })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, users.userId), inArray(auditLog.act, [...DECISIVE])))
    .orderBy(desc(auditLog.at), asc(auditLog.act))
    .limit(1)
    .as('newest');
  const [waiting] = await db
    .select({
      count: sql<number>`count(*)::int`,
      firstAskedAt: sql`min(${newest.at})`.mapWith(auditLog.at),
      lastAskedAt: sql`max(${newest.at})`.mapWith(auditLog.at),
    })
    .from(users)
    .innerJoinLateral(newest, sql`true`)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.userId))
    .where(
      and(
        eq(newest.act, 'access_requested'),
        lte(newest.at, askedBy),
        eq(users.hasAccess, false),
        isNotNull(users.email),
        isNull(users.deletedAt),
        isNull(accountDeletions.userId),
      ),
    );
  return waiting === undefined || waiting.count === 0 ? null : waiting;
}
