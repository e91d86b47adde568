/** The courses that a learner's classes are to finish, and how far each member has got. */
import type { Assignment } from '@parley/contract';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../db/client.ts';
import { queryRows } from './practice-numbers.ts';
import { isPractised } from './practised.ts';

const Count = z.coerce.number();

/**
 * A table `items (course_id, kind, id)` of the content that learners can open in each course. An item in several
 * sections counts once, as in the app.
 */
export const COURSE_ITEMS: SQL = sql`
  select s.course_id, 'practice' as kind, i.practice_id as id from course_sections s
  join course_section_practices i on i.course_section_id = s.course_section_id and i.deleted_at is null
  join practices p on p.practice_id = i.practice_id and p.availability = 'ready' and p.deleted_at is null
  where s.deleted_at is null
  union
  select s.course_id, 'video', i.video_id from course_sections s
  join course_section_videos i on i.course_section_id = s.course_section_id and i.deleted_at is null
  join videos v on v.video_id = i.video_id and v.availability = 'ready' and v.deleted_at is null
  where s.deleted_at is null`;

/**
 * The practices that these learners have finished and the videos that they have watched, as a table `done (user_id,
 * kind, id)`.
 */
export const doneBy = (userIds: SQL): SQL => sql`
  select h.user_id, 'practice' as kind, h.practice_id as id from practice_history h
  where h.user_id in (${userIds}) and h.deleted_at is null and ${isPractised('h')}
  union
  select i.user_id, 'video', (i.details ->> 'videoId')::uuid from user_course_interaction i
  where i.user_id in (${userIds}) and i.interaction_type = 'video' and i.course_id is not null and i.deleted_at is null`;

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
      with items as (${COURSE_ITEMS}), done as (${doneBy(sql`${userId}`)})
      select c.course_id as "courseId", c.title, k.name as "className", a.due_at as "dueAt",
        (select count(*) from items where items.course_id = c.course_id) as practices,
        (select count(*) from items join done using (kind, id) where items.course_id = c.course_id) as done
      from class_members m
      join classes k on k.id = m.class_id and k.archived_at is null
      join class_courses a on a.class_id = k.id
      join courses c on c.course_id = a.course_id and c.deleted_at is null
      where m.user_id = ${userId}
      order by a.due_at nulls last, c.title`,
  );
  return rows.map(({ dueAt, ...row }) => ({ ...row, dueAt: dueAt?.toISOString() ?? null }));
}

/** How many practices and videos of a course each member of a class has done. */
export const readProgress = (db: Database, classId: string) =>
  queryRows(
    db,
    z.object({ courseId: z.string(), userId: z.string(), done: Count }),
    sql`
      with items as (${COURSE_ITEMS}),
        done as (${doneBy(sql`select user_id from class_members where class_id = ${classId}`)})
      select a.course_id as "courseId", done.user_id as "userId", count(*) as done
      from class_courses a
      join items on items.course_id = a.course_id
      join done using (kind, id)
      where a.class_id = ${classId}
      group by 1, 2`,
  );
