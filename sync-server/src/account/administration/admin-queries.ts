/** Lists learners and the audit log for the admin panel. */
import { and, asc, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AdminAudit, AdminAuditRequest, AdminUsers, AdminUsersRequest } from '@parley/contract';
import type { Database } from '../../db/client.ts';
import { contentDocuments } from '../../db/content-tables.ts';
import { mails } from '../../db/mail-tables.ts';
import { media } from '../../db/media-tables.ts';
import { classes } from '../../db/school-tables.ts';
import { AUDITED_ACTIONS, auditLog, tables } from '../../db/tables.ts';
import { canBeDecided, readWaitingSince } from '../access/access-requests.ts';
import { abandonedAccountIds } from '../deletion/abandoned-account.ts';
import { matchesPerson } from './match-person.ts';

export interface AdminQueries {
  listUsers: (asked: AdminUsersRequest) => Promise<AdminUsers>;
  listAuditEntries: (asked: AdminAuditRequest) => Promise<AdminAudit>;
}

const { users } = tables;

const SORT_COLUMNS = {
  createdAt: users.createdAt,
  email: users.email,
  lastName: users.lastName,
  lastLoginAt: users.lastLoginAt,
} as const;

export function createAdminQueries({ db }: { db: Database }): AdminQueries {
  return {
    async listUsers({ search, only, sort, direction, page, pageSize }) {
      const where = and(
        matchesSearch(search),
        only === undefined ? undefined : conditionFor(db, only),
        sql`${users.userId} not in ${abandonedAccountIds()}`,
      );
      const column = SORT_COLUMNS[sort];
      // A search reads every learner, so it counts them in the same pass.
      const isSearch = search !== '';
      const [counted, found] = await Promise.all([
        isSearch ? null : db.$count(users, where),
        db
          .select({
            total: isSearch ? sql<number>`(count(*) over ())::int` : sql<number>`0`,
            userId: users.userId,
            email: users.email,
            firstName: users.firstName,
            lastName: users.lastName,
            hasAccess: users.hasAccess,
            accessDate: users.accessDate,
            isAdmin: users.isAdmin,
            createdAt: users.createdAt,
            lastLoginAt: users.lastLoginAt,
          })
          .from(users)
          .where(where)
          .orderBy(sql`${column} ${sql.raw(direction)} nulls last`, users.userId)
          .limit(pageSize)
          .offset(page * pageSize),
      ]);
      const total = counted ?? found[0]?.total ?? (page === 0 ? 0 : await db.$count(users, where));
      const rows = found.map(({ total: _total, ...row }) => row);
      const waiting = await readWaitingSince(
        db,
        rows.map(({ userId }) => userId),
      );
      return {
        total,
        rows: rows.map((row) => ({
          ...row,
          accessDate: toIsoString(row.accessDate),
          waitingSince: row.hasAccess ? null : toIsoString(waiting.get(row.userId) ?? null),
          createdAt: row.createdAt.toISOString(),
          lastLoginAt: toIsoString(row.lastLoginAt),
        })),
      };
    },

    async listAuditEntries({ userId, actorId, actor, person, act, from, until, search, direction, page, pageSize }) {
      const where = and(
        userId === undefined ? undefined : eq(auditLog.subjectId, userId),
        actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
        act === undefined
          ? undefined
          : inArray(
              auditLog.act,
              AUDITED_ACTIONS.filter((each) => each === act),
            ),
        from === undefined ? undefined : gte(auditLog.at, new Date(from)),
        until === undefined ? undefined : lt(auditLog.at, new Date(until)),
        actor === '' ? undefined : inArray(auditLog.actorId, findPeople(db, actor)),
        person === '' ? undefined : inArray(auditLog.subjectId, findPeople(db, person)),
        search === '' ? undefined : concernsPerson(db, search),
      );
      const order = direction === 'asc' ? asc : desc;
      const [total, rows] = await Promise.all([
        db.$count(auditLog, where),
        db
          .select()
          .from(auditLog)
          .where(where)
          .orderBy(order(auditLog.at), order(auditLog.id))
          .limit(pageSize)
          .offset(page * pageSize),
      ]);
      const names = await readNames(
        db,
        rows.flatMap(({ actorId: actor, subjectId }) => (actor === null ? [subjectId] : [actor, subjectId])),
      );
      return {
        total,
        rows: rows.map(({ at, subject, ...row }) => ({
          ...row,
          at: at.toISOString(),
          subjectKind: subject,
          actor: row.actorId === null ? null : (names.get(row.actorId) ?? null),
          subject: names.get(row.subjectId) ?? null,
        })),
      };
    },
  };
}

function matchesSearch(search: string): SQL | undefined {
  // One text per learner: several with `ilike` take three times as long.
  const { email, firstName, lastName } = users;
  return matchesPerson(sql`concat_ws(' ', ${email}, ${firstName}, ${lastName})`, search);
}

const findPeople = (db: Database, search: string) =>
  db.select({ userId: users.userId }).from(users).where(matchesSearch(search));

/** Entries that a person wrote or that are about that person. */
function concernsPerson(db: Database, search: string): SQL | undefined {
  const people = findPeople(db, search);
  return or(inArray(auditLog.subjectId, people), inArray(auditLog.actorId, people));
}

/** The addresses of people and mails, and the names of classes, content and videos, by id. */
async function readNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const named = await Promise.all([
    db.select({ id: users.userId, name: users.email }).from(users).where(inArray(users.userId, wanted)),
    db.select({ id: classes.id, name: classes.name }).from(classes).where(inArray(classes.id, wanted)),
    db
      .select({ id: contentDocuments.id, name: contentDocuments.title })
      .from(contentDocuments)
      .where(inArray(contentDocuments.id, wanted)),
    db.select({ id: media.id, name: media.fileName }).from(media).where(inArray(media.id, wanted)),
    db.select({ id: mails.id, name: mails.to }).from(mails).where(inArray(mails.id, wanted)),
  ]);
  return new Map(named.flat().map(({ id, name }) => [id, name]));
}

function conditionFor(db: Database, only: NonNullable<AdminUsersRequest['only']>): SQL | undefined {
  if (only === 'admins') return eq(users.isAdmin, true);
  if (only === 'with_access') return eq(users.hasAccess, true);
  if (only === 'without_access') return eq(users.hasAccess, false);
  return and(isWaitingForAccess(), canBeDecided(db));
}

/** The condition of `readWaitingSince` as SQL, for filtering the whole table. */
function isWaitingForAccess(): SQL {
  const newest = sql`(
    select ${auditLog.act} from ${auditLog}
    where ${auditLog.subjectId} = ${users.userId}
      and ${auditLog.act} in ('access_requested', 'access_granted', 'access_revoked')
    order by ${auditLog.at} desc, ${auditLog.act} asc limit 1
  )`;
  return sql`${newest} = 'access_requested'`;
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null;
