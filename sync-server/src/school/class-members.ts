/** Lists the learners of a class, and how far each has got in its courses. */
import type { ClassMember, ClassMembersRequest } from '@parley/contract';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { matchesPerson } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { COURSE_ITEMS, doneBy } from './assignments.ts';
import { queryRows } from './practice-numbers.ts';

const Count = z.coerce.number();
const MemberRow = z.object({
  userId: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  doneByCourseId: z.record(z.string(), Count),
  total: Count,
});

export async function listClassMembers(
  db: Database,
  asked: ClassMembersRequest,
): Promise<{ total: number; rows: ClassMember[] }> {
  const { page, pageSize } = asked;
  const rows = await readPage(db, asked, { limit: pageSize, offset: page * pageSize });
  // A page after the last one is empty, and says nothing about how many there are.
  const [counted] = rows.length === 0 && page > 0 ? await readPage(db, asked, { limit: 1, offset: 0 }) : rows;
  return { total: counted?.total ?? 0, rows: rows.map(({ total: _total, ...row }) => row) };
}

const readPage = (
  db: Database,
  { classId, courseId, search, only, sort, direction }: ClassMembersRequest,
  { limit, offset }: { limit: number; offset: number },
) =>
  queryRows(
    db,
    MemberRow,
    sql`
      with items as (${COURSE_ITEMS}),
        done as (${doneBy(sql`select user_id from class_members where class_id = ${classId}`)}),
        assigned as (
          select items.course_id, items.kind, items.id from class_courses a
          join items on items.course_id = a.course_id where a.class_id = ${classId}
        ), progress as (
          select course_id, user_id, count(*) as done from assigned join done using (kind, id) group by 1, 2
        ), members as (
          select u.user_id, u.email, u.first_name, u.last_name, coalesce(sum(p.done), 0) as done,
            coalesce(sum(p.done) filter (where p.course_id = ${courseId ?? null}::uuid), 0) as done_in_course,
            coalesce(jsonb_object_agg(p.course_id, p.done) filter (where p.course_id is not null), '{}') as done_by_course
          from class_members m
          join users u on u.user_id = m.user_id
          left join progress p on p.user_id = m.user_id
          where m.class_id = ${classId} ${matching(search)}
          group by u.user_id
        )
      select user_id as "userId", email, first_name as "firstName", last_name as "lastName",
        done_by_course as "doneByCourseId", count(*) over () as total
      from members ${onlyThose(only)}
      order by ${orderBy(sort, courseId)} ${sql.raw(direction)} nulls last, email, user_id
      limit ${limit} offset ${offset}`,
  );

function matching(search: string): SQL {
  const condition = matchesPerson(sql`concat_ws(' ', u.email, u.first_name, u.last_name)`, search);
  return condition === undefined ? sql`` : sql`and ${condition}`;
}

function onlyThose(only: ClassMembersRequest['only']): SQL {
  if (only === undefined) return sql``;
  const parts = sql`(select count(*) from assigned)`;
  return only === 'finished' ? sql`where ${parts} > 0 and done >= ${parts}` : sql`where done < ${parts}`;
}

function orderBy(sort: ClassMembersRequest['sort'], courseId: string | undefined): SQL {
  if (sort === 'email') return sql`email`;
  if (sort === 'name') return sql`lower(nullif(concat_ws(' ', last_name, first_name), ''))`;
  return courseId === undefined ? sql`done` : sql`done_in_course`;
}
