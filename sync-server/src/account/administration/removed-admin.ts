/** Derives from the audit log which accounts were admins until an admin removed them. The newest decision counts. */
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { auditLog, tables } from '../../db/tables.ts';

const DECISIVE_ACTS = ['admin_granted', 'admin_revoked'] as const;

/** Whether another admin removed this admin, which outweighs ADMIN_EMAILS at the next sign-in. */
export async function isRemovedAdmin(db: Database, userId: string): Promise<boolean> {
  const [newest] = await db
    .select({ act: auditLog.act })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, userId), inArray(auditLog.act, [...DECISIVE_ACTS])))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(1);
  return newest?.act === 'admin_revoked';
}

/**
 * The entries of the audit log that still matter for an account that is no longer an admin: why the role was removed.
 */
export function selectRemovals(db: Database) {
  const { users } = tables;
  const newest = db
    .select({ id: auditLog.id, act: auditLog.act })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, users.userId), inArray(auditLog.act, [...DECISIVE_ACTS])))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(1)
    .as('newest');
  return db
    .select({ id: newest.id })
    .from(users)
    .innerJoinLateral(newest, sql`true`)
    .where(and(eq(newest.act, 'admin_revoked'), eq(users.isAdmin, false), isNull(users.deletedAt)));
}
