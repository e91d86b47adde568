/** Who has asked to be let in and since when, and from whom access was taken: the newest of what was asked and decided counts. */
import { and, asc, desc, inArray } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';

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
