/** Who has asked to be let in, and since when: the newest request, unless something was decided after it. */
import { and, asc, desc, inArray } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';

const DECISIVE = ['access_requested', 'access_granted', 'access_revoked'] as const;

/** By learner; who does not wait is not in it. */
export async function readWaitingSince(db: Database, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([auditLog.subjectId])
    .from(auditLog)
    .where(and(inArray(auditLog.subjectId, [...userIds]), inArray(auditLog.act, [...DECISIVE])))
    // Of one moment, the request came first.
    .orderBy(auditLog.subjectId, desc(auditLog.at), asc(auditLog.act));
  return new Map(
    rows.flatMap(({ subjectId, act, at }) => (act === 'access_requested' ? [[subjectId, at] as const] : [])),
  );
}
