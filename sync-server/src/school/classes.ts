/** Classes of learners with assigned courses. Every change is in the audit log. */
import { randomUUID } from 'node:crypto';
import type { ClassDetail, ClassesRequest, ClassMember, ClassMembersRequest, ClassRow } from '@parley/contract';
import { isDayOfChoice } from '@parley/domain';
import { and, asc, eq, ilike, isNotNull, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type AuditEntry, recordAudit, recordAudits } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { classCourses, classes, classMembers } from '../db/school-tables.ts';
import { tables } from '../db/tables.ts';
import { COURSE_ITEMS, readProgress } from './assignments.ts';
import { listClassMembers } from './class-members.ts';
import { queryRows } from './practice-numbers.ts';

interface Member {
  classId: string;
  userId: string;
}
interface Assigned {
  classId: string;
  courseId: string;
}

/**
 * An entry per learner records who joins or leaves, so that it is found by person, and loses its details when the
 * account is erased.
 */
const ABOUT_LEARNER = { subject: 'learner' } as const;

export interface Classes {
  list: (asked: ClassesRequest) => Promise<{ total: number; rows: ClassRow[] }>;
  /** Throws `request.invalid` for an unknown class, as all calls do. */
  read: (classId: string) => Promise<ClassDetail>;
  listMembers: (asked: ClassMembersRequest) => Promise<{ total: number; rows: ClassMember[] }>;
  create: (actorId: string, name: string) => Promise<{ classId: string }>;
  change: (
    actorId: string,
    change: { classId: string; name?: string | undefined; isArchived?: boolean | undefined },
  ) => Promise<void>;
  add: (
    actorId: string,
    asked: { classId: string; emails: readonly string[] },
  ) => Promise<{ added: number; unknown: string[] }>;
  remove: (actorId: string, member: Member) => Promise<void>;
  assign: (actorId: string, assigned: Assigned & { dueAt: string | null }) => Promise<void>;
  withdraw: (actorId: string, assigned: Assigned) => Promise<void>;
}

export function createClasses({ db, now }: { db: Database; now: () => Date }): Classes {
  const find = async (tx: Database, classId: string) => {
    const [row] = await tx.select().from(classes).where(eq(classes.id, classId));
    if (row === undefined) throw new DomainError('request.invalid', { field: 'classId' });
    return row;
  };
  const audit = (tx: Database, entry: Omit<AuditEntry, 'at' | 'reason'>) =>
    recordAudit(tx, { at: now(), subject: 'class', ...entry });

  return {
    async list({ search, sort, direction, page, pageSize, isArchived }) {
      const where = and(
        search === '' ? undefined : ilike(classes.name, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
        isArchived ? isNotNull(classes.archivedAt) : isNull(classes.archivedAt),
      );
      const column = sort === 'name' ? sql`lower(${classes.name})` : classes.createdAt;
      const [total, rows] = await Promise.all([
        db.$count(classes, where),
        db
          .select({
            classId: classes.id,
            name: classes.name,
            archivedAt: classes.archivedAt,
            members: sql<number>`(select count(*)::int from class_members m where m.class_id = ${classes.id})`,
            courses: sql<number>`(select count(*)::int from class_courses c where c.class_id = ${classes.id})`,
            dueAt:
              sql`(select min(c.due_at) from class_courses c where c.class_id = ${classes.id} and c.due_at >= ${now().toISOString()}::timestamptz)`.mapWith(
                classes.createdAt,
              ),
          })
          .from(classes)
          .where(where)
          .orderBy(sql`${column} ${sql.raw(direction)}`, classes.id)
          .limit(pageSize)
          .offset(page * pageSize),
      ]);
      return {
        total,
        rows: rows.map(({ archivedAt, dueAt, ...row }) => ({
          ...row,
          archivedAt: archivedAt?.toISOString() ?? null,
          dueAt: (dueAt as Date | null)?.toISOString() ?? null,
        })),
      };
    },

    async read(classId) {
      const { courses } = tables;
      const { name, archivedAt } = await find(db, classId);
      const [assigned, members, progress, choices] = await Promise.all([
        queryRows(
          db,
          z.object({
            courseId: z.string(),
            title: z.string(),
            dueAt: z.coerce.date().nullable(),
            practices: z.coerce.number(),
          }),
          sql`
            with items as (${COURSE_ITEMS})
            select c.course_id as "courseId", c.title, a.due_at as "dueAt",
              (select count(*) from items where items.course_id = c.course_id) as practices
            from class_courses a join courses c on c.course_id = a.course_id
            where a.class_id = ${classId} order by a.due_at nulls last, c.title`,
        ),
        db.$count(classMembers, eq(classMembers.classId, classId)),
        readProgress(db, classId),
        db
          .select({ courseId: courses.courseId, title: courses.title })
          .from(courses)
          .where(isNull(courses.deletedAt))
          .orderBy(asc(courses.title)),
      ]);
      const finishedBy = ({ courseId, practices }: { courseId: string; practices: number }): number =>
        progress.filter((row) => practices > 0 && row.courseId === courseId && row.done >= practices).length;
      return {
        classId,
        name,
        archivedAt: archivedAt?.toISOString() ?? null,
        courses: assigned.map(({ dueAt, ...course }) => ({
          ...course,
          dueAt: dueAt?.toISOString() ?? null,
          finished: finishedBy(course),
        })),
        members,
        choices,
      };
    },

    async listMembers(asked) {
      await find(db, asked.classId);
      return listClassMembers(db, asked);
    },

    create: (actorId, name) =>
      db.transaction(async (tx) => {
        const classId = randomUUID();
        await tx.insert(classes).values({ id: classId, name, createdAt: now(), archivedAt: null });
        await audit(tx, { actorId, subjectId: classId, act: 'class_created', after: { name } });
        return { classId };
      }),

    change: (actorId, { classId, name, isArchived }) =>
      db.transaction(async (tx) => {
        const before = await find(tx, classId);
        if (name !== undefined && name !== before.name) {
          await tx.update(classes).set({ name }).where(eq(classes.id, classId));
          const state = { before: { name: before.name }, after: { name } };
          await audit(tx, { actorId, subjectId: classId, act: 'class_changed', ...state });
        }
        if (isArchived === undefined || isArchived === (before.archivedAt !== null)) return;
        await tx
          .update(classes)
          .set({ archivedAt: isArchived ? now() : null })
          .where(eq(classes.id, classId));
        await audit(tx, { actorId, subjectId: classId, act: isArchived ? 'class_archived' : 'class_restored' });
      }),

    add: (actorId, { classId, emails }) =>
      db.transaction(async (tx) => {
        const { name } = await find(tx, classId);
        const wanted = [...new Set(emails)];
        const { users } = tables;
        const found = await tx
          .select({ userId: users.userId, email: sql<string>`lower(${users.email})` })
          .from(users)
          .where(sql`lower(${users.email}) in ${wanted}`);
        const known = new Set(found.map(({ email }) => email));
        const rows = found.map(({ userId }) => ({ classId, userId, addedAt: now() }));
        const added =
          rows.length === 0 ? [] : await tx.insert(classMembers).values(rows).onConflictDoNothing().returning();
        const entry = {
          at: now(),
          actorId,
          ...ABOUT_LEARNER,
          act: 'class_joined',
          details: { classId },
          after: { class: name },
        } as const;
        await recordAudits(
          tx,
          added.map(({ userId }) => ({ ...entry, subjectId: userId })),
        );
        return { added: added.length, unknown: wanted.filter((email) => !known.has(email)) };
      }),

    remove: (actorId, { classId, userId }) =>
      db.transaction(async (tx) => {
        const { name } = await find(tx, classId);
        const gone = await tx
          .delete(classMembers)
          .where(and(eq(classMembers.classId, classId), eq(classMembers.userId, userId)))
          .returning();
        const entry = {
          actorId,
          ...ABOUT_LEARNER,
          act: 'class_left',
          details: { classId },
          before: { class: name },
        } as const;
        for (const member of gone) await audit(tx, { ...entry, subjectId: member.userId });
      }),

    assign: (actorId, { classId, courseId, dueAt }) =>
      db.transaction(async (tx) => {
        await find(tx, classId);
        if (dueAt !== null && !isDayOfChoice(dueAt)) throw new DomainError('request.invalid', { field: 'dueAt' });
        const { courses } = tables;
        const [course] = await tx
          .select({ title: courses.title })
          .from(courses)
          .where(and(sql`${courses.courseId} = ${courseId}`, isNull(courses.deletedAt)));
        if (course === undefined) throw new DomainError('request.invalid', { field: 'courseId' });
        const due = dueAt === null ? null : new Date(dueAt);
        await tx
          .insert(classCourses)
          .values({ classId, courseId, dueAt: due, assignedAt: now() })
          .onConflictDoUpdate({ target: [classCourses.classId, classCourses.courseId], set: { dueAt: due } });
        const after = { course: course.title, dueAt };
        await audit(tx, { actorId, subjectId: classId, act: 'class_changed', after });
      }),

    withdraw: (actorId, { classId, courseId }) =>
      db.transaction(async (tx) => {
        await find(tx, classId);
        const gone = await tx
          .delete(classCourses)
          .where(and(eq(classCourses.classId, classId), eq(classCourses.courseId, courseId)))
          .returning();
        if (gone.length === 0) return;
        const { courses } = tables;
        const [course] = await tx
          .select({ title: courses.title })
          .from(courses)
          .where(sql`${courses.courseId} = ${courseId}`);
        const state = { before: { course: course?.title ?? courseId }, after: { course: null } };
        await audit(tx, { actorId, subjectId: classId, act: 'class_changed', ...state });
      }),
  };
}
