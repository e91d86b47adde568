/** What admins see: the learners of this server, and what was decided about them. */
import { and, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { AdminAudit, AdminUsers } from '@parley/contract';
import type { Database } from '../db/client.ts';
import { auditLog, tables } from '../db/tables.ts';
import { readWaitingSince } from './waiting.ts';

export const ADMIN_PAGE_ROWS = 50;

export interface Administration {
  users: (asked: { search?: string | undefined; only?: 'waiting' | undefined; page: number }) => Promise<AdminUsers>;
  audit: (asked: { userId?: string | undefined; page: number }) => Promise<AdminAudit>;
}

export function createAdministration({ db }: { db: Database }): Administration {
  const { users } = tables;
  return {
    async users({ search = '', only, page }) {
      const where = and(matching(search), only === 'waiting' ? isWaiting() : undefined);
      const rows = await db
        .select()
        .from(users)
        .where(where)
        .orderBy(desc(users.createdAt), users.userId)
        .limit(ADMIN_PAGE_ROWS)
        .offset(page * ADMIN_PAGE_ROWS);
      const waiting = await readWaitingSince(
        db,
        rows.map(({ userId }) => userId),
      );
      return {
        total: await db.$count(users, where),
        users: rows.map((row) => ({
          userId: row.userId,
          email: row.email,
          firstName: row.firstName,
          lastName: row.lastName,
          hasAccess: row.hasAccess,
          accessDate: iso(row.accessDate),
          waitingSince: row.hasAccess ? null : iso(waiting.get(row.userId) ?? null),
          isAdmin: row.isAdmin,
          createdAt: row.createdAt.toISOString(),
          lastLoginAt: iso(row.lastLoginAt),
        })),
      };
    },

    async audit({ userId, page }) {
      const where = userId === undefined ? undefined : eq(auditLog.subjectId, userId);
      const rows = await db
        .select()
        .from(auditLog)
        .where(where)
        .orderBy(desc(auditLog.at), auditLog.id)
        .limit(ADMIN_PAGE_ROWS)
        .offset(page * ADMIN_PAGE_ROWS);
      return {
        total: await db.$count(auditLog, where),
        entries: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
      };
    },
  };
}

/** Percent signs and underscores are what they are. */
function matching(search: string): SQL | undefined {
  if (search === '') return undefined;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { email, firstName, lastName } = tables.users;
  return or(ilike(email, pattern), ilike(firstName, pattern), ilike(lastName, pattern));
}

/** The same as `readWaitingSince` says, for a whole table. */
function isWaiting(): SQL {
  const { users } = tables;
  const newest = sql`(
    select ${auditLog.act} from ${auditLog}
    where ${auditLog.subjectId} = ${users.userId}
      and ${auditLog.act} in ('access_requested', 'access_granted', 'access_revoked')
    order by ${auditLog.at} desc, ${auditLog.act} asc limit 1
  )`;
  return sql`not ${users.hasAccess} and ${newest} = 'access_requested'`;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
