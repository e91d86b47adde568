/** The scheduled posts that could not be published at their time, until an admin changes them. */
import { and, asc, eq, gte, isNull, lte } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { auditLog } from '../db/tables.ts';

/** For how long failed posts are listed. */
const UNSCHEDULED_MS = 30 * 24 * 3_600_000;

export interface UnscheduledPost {
  id: string;
  title: string;
  since: Date;
}

/** Oldest first. */
export const readUnscheduledPosts = (db: Database, now: Date): Promise<UnscheduledPost[]> =>
  db
    .select({ id: contentDocuments.id, title: contentDocuments.title, since: auditLog.at })
    .from(auditLog)
    .innerJoin(contentDocuments, eq(contentDocuments.id, auditLog.subjectId))
    .where(
      and(
        eq(auditLog.act, 'content_unscheduled'),
        gte(auditLog.at, new Date(now.getTime() - UNSCHEDULED_MS)),
        isNull(contentDocuments.publishAt),
        lte(contentDocuments.editedAt, auditLog.at),
      ),
    )
    .orderBy(asc(auditLog.at));
