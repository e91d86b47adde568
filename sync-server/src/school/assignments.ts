/** The courses that a learner's classes are to finish, and how far each member is. */
import type { Assignment } from '@parley/contract';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../db/client.ts';
import { queryRows } from './practice-numbers.ts';

const Count = z.coerce.number();

/** The practices of each course, as a table `parts (course_id, practice_id)`. */
export const COURSE_PARTS: SQL = sql`
  select distinct s.course_id, p.practice_id from course_sections s
  join course_section_practices p on p.course_section_id = s.course_section_id
  where s.deleted_at is null and p.deleted_at is null`;

export async function listAssignments(db: Database, userId: string): Promise<Assignment[]> {
  const rows = await queryRows(
    db,
    z.object({
      courseId: z.string(),
      title: z.string(),
      className: z.string(),
      dueAt: z.coerce.date().nullable(),
      practices: Count,
      done: Count,
    }),
    sql`
      with parts as (${COURSE_PARTS})
      select c.course_id as "courseId", c.title, k.name as "className", a.due_at as "dueAt",
        (select count(*) from parts where parts.course_id = c.course_id) as practices,
        (select count(distinct h.practice_id) from practice_history h join parts on parts.practice_id = h.practice_id
          where parts.course_id = c.course_id and h.user_id = ${userId} and h.status = 'completed'
            and h.deleted_at is null) as done
      from class_members m
      join classes k on k.id = m.class_id and k.archived_at is null
      join class_courses a on a.class_id = k.id
      join courses c on c.course_id = a.course_id and c.deleted_at is null
      where m.user_id = ${userId}
      order by a.due_at nulls last, c.title`,
  );
  return rows.map(({ dueAt, ...row }) => ({ ...row, dueAt: dueAt?.toISOString() ?? null }));
}

/** How many practices of a course each member of a class has finished. */
export const readProgress = (db: Database, classId: string) =>
  queryRows(
    db,
    z.object({ courseId: z.string(), userId: z.string(), done: Count }),
    sql`
      with parts as (${COURSE_PARTS})
      select a.course_id as "courseId", m.user_id as "userId", count(distinct h.practice_id) as done
      from class_courses a
      join parts on parts.course_id = a.course_id
      join class_members m on m.class_id = a.class_id
      join practice_history h on h.user_id = m.user_id and h.practice_id = parts.practice_id
        and h.status = 'completed' and h.deleted_at is null
      where a.class_id = ${classId}
      group by 1, 2`,
  );
