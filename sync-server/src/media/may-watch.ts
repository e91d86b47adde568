/** Whether a learner's plan covers a video. The rule is the one by which devices lock the sections of courses. */
import { COURSE_STATUSES, mediaAddress, sectionLock } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { createPlanReader } from '../account/index.ts';
import type { Database } from '../db/client.ts';

const Sections = z.array(
  z.object({
    status: z.enum(COURSE_STATUSES),
    isFirst: z.boolean(),
    isStarted: z.boolean(),
    isAssigned: z.boolean(),
    sellsPlans: z.boolean(),
  }),
);

/** True when the video is in an open section, and when no course has it. */
export async function mayWatch(
  { db, now }: { db: Database; now: () => Date },
  of: { userId: string; mediaId: string },
): Promise<boolean> {
  const { userId, mediaId } = of;
  const { rows } = (await db.execute(sql`
    select c.status,
      not exists (select 1 from course_sections earlier where earlier.course_id = s.course_id
        and earlier."order" < s."order" and earlier.deleted_at is null) as "isFirst",
      exists (select 1 from user_course_interaction i where i.user_id = ${userId} and i.deleted_at is null
        and i.details ->> 'courseSectionId' = s.course_section_id::text) as "isStarted",
      exists (select 1 from class_members m join classes k on k.id = m.class_id and k.archived_at is null
        join class_courses a on a.class_id = k.id
        where m.user_id = ${userId} and a.course_id = s.course_id) as "isAssigned",
      exists (select 1 from prices p join products q on q.id = p.product_id
        where p.deleted_at is null and q.deleted_at is null and q.active) as "sellsPlans"
    from videos v
    join course_section_videos cv on cv.video_id = v.video_id and cv.deleted_at is null
    join course_sections s on s.course_section_id = cv.course_section_id and s.deleted_at is null
    join courses c on c.course_id = s.course_id and c.deleted_at is null
    where v.file_url = ${mediaAddress(mediaId)} and v.deleted_at is null`)) as { rows: unknown[] };
  const sections = Sections.parse(rows);
  if (sections.length === 0) return true;
  const at = now();
  const { plan } = await createPlanReader({ db, now })(userId);
  return sections.some(
    ({ status, sellsPlans, ...section }) =>
      sectionLock({ ...section, courseStatus: status, plan: sellsPlans ? { plan, confirmedAt: at } : null }, at) ===
      null,
  );
}
