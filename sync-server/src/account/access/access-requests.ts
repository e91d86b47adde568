/**
 * Derives from the audit log which learners are waiting for access, and since when. The newest request or decision
 * counts.
 */
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { accountDeletions, auditLog, tables } from '../../db/tables.ts';

const DECISIVE_ACTS = ['access_requested', 'access_granted', 'access_revoked'] as const;

/** Keyed by learner; learners who are not waiting are absent. */
export async function readWaitingSince(db: Database, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await readNewestDecisions(db, userIds);
  return new Map(
    rows.flatMap(({ subjectId, act, at }) => (act === 'access_requested' ? [[subjectId, at] as const] : [])),
  );
}

export interface AccessState {
  waitingSince: Date | null;
  revocation: { at: Date; reason: string | null } | null;
}

/** Reads the status that a learner without access sees. */
export async function readAccessState(db: Database, userId: string): Promise<AccessState> {
  const [newest] = await readNewestDecisions(db, [userId]);
  const { act, at, reason } = newest ?? { act: null, at: new Date(0), reason: null };
  return {
    waitingSince: act === 'access_requested' ? at : null,
    revocation: act === 'access_revoked' ? { at, reason } : null,
  };
}

async function readNewestDecisions(db: Database, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return (
    db
      .selectDistinctOn([auditLog.subjectId])
      .from(auditLog)
      .where(and(inArray(auditLog.subjectId, [...userIds]), inArray(auditLog.act, [...DECISIVE_ACTS])))
      // When both have the same time, the request came first, so the decision wins.
      .orderBy(auditLog.subjectId, desc(auditLog.at), asc(auditLog.act))
  );
}

/**
 * The newest decision about each learner, to be joined laterally: it is looked up in the log's index, because most
 * learners are not waiting.
 */
const selectNewestDecision = (db: Database) =>
  db
    .select({ id: auditLog.id, act: auditLog.act, at: auditLog.at })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, tables.users.userId), inArray(auditLog.act, [...DECISIVE_ACTS])))
    .orderBy(desc(auditLog.at), asc(auditLog.act))
    .limit(1)
    .as('newest');

/**
 * The entries of the audit log that still matter for a learner without access: when they began to wait, or why access
 * was revoked.
 */
export function selectNeededDecisions(db: Database) {
  const { users } = tables;
  const newest = selectNewestDecision(db);
  return db
    .select({ id: newest.id })
    .from(users)
    .innerJoinLateral(newest, sql`true`)
    .where(and(eq(users.hasAccess, false), isNull(users.deletedAt)));
}

/**
 * Whether an admin can decide about the learner. Without an address, the learner could not be told; if about to be
 * erased, the learner need not be.
 */
export const canBeDecided = (db: Database) => {
  const { users } = tables;
  const deletions = db.select().from(accountDeletions).where(eq(accountDeletions.userId, users.userId));
  return and(eq(users.hasAccess, false), isNotNull(users.email), isNull(users.deletedAt), notExists(deletions));
};

const awaitsDecision = (db: Database, newest: ReturnType<typeof selectNewestDecision>) =>
  and(eq(newest.act, 'access_requested'), canBeDecided(db));

export interface AccessRequest {
  userId: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  since: Date;
}

/** The learners who have waited longest. */
export async function readLongestWaiting(db: Database, limit: number): Promise<AccessRequest[]> {
  const { users } = tables;
  const newest = selectNewestDecision(db);
  return db
    .select({
      userId: users.userId,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      since: newest.at,
    })
    .from(users)
    .innerJoinLateral(newest, sql`true`)
    .where(awaitsDecision(db, newest))
    .orderBy(asc(newest.at))
    .limit(limit);
}

export interface WaitingLearners {
  /** Always contains at least one learner. */
  count: number;
  firstAskedAt: Date;
  lastAskedAt: Date;
}

/**
 * The learners who are waiting and can be granted access; null when there are none. `askedBy` excludes those who asked
 * later.
 */
export async function readWaitingLearners(db: Database, askedBy?: Date): Promise<WaitingLearners | null> {
  const { users } = tables;
  const newest = selectNewestDecision(db);
  const [waiting] = await db
    .select({
      count: sql<number>`count(*)::int`,
      firstAskedAt: sql`min(${newest.at})`.mapWith(auditLog.at),
      lastAskedAt: sql`max(${newest.at})`.mapWith(auditLog.at),
    })
    .from(users)
    .innerJoinLateral(newest, sql`true`)
    .where(and(awaitsDecision(db, newest), askedBy === undefined ? undefined : lte(newest.at, askedBy)));
  return waiting === undefined || waiting.count === 0 ? null : waiting;
}
