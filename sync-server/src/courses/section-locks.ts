/** Reads which sections of courses are open to a learner, by the same rule with which devices lock them. */
import { COURSE_STATUSES, type SectionFacts, sectionLock } from '@parley/domain';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { createPlanReader } from '../account/index.ts';
import type { Database } from '../db/client.ts';

const Sections = z.array(
  z.object({
    courseSectionId: z.uuid(),
    courseStatus: z.enum(COURSE_STATUSES),
    isFirst: z.boolean(),
    isStarted: z.boolean(),
    isAssigned: z.boolean(),
  }),
);
const Offer = z.tuple([z.object({ sellsPlans: z.boolean() })]);

export interface SectionLocks {
  /** The requested sections that still belong to a course. */
  sectionIds: string[];
  openIds: string[];
  /**
   * Whether the learner may open items that are in no section: always, unless plans are sold and the learner has none.
   */
  isOutsideOpen: boolean;
}

/** `which` is SQL that selects the sections, under the alias `s`. */
export async function readSectionLocks(
  db: Database,
  { userId, which, at }: { userId: string; which: SQL; at: Date },
): Promise<SectionLocks> {
  const { rows } = (await db.execute(sql`
    select s.course_section_id as "courseSectionId", c.status as "courseStatus",
      not exists (select 1 from course_sections earlier where earlier.course_id = s.course_id
        and earlier."order" < s."order" and earlier.deleted_at is null) as "isFirst",
      exists (select 1 from opened_sections o where o.user_id = ${userId}
        and o.course_section_id = s.course_section_id) as "isStarted",
      exists (select 1 from class_members m join classes k on k.id = m.class_id and k.archived_at is null
        join class_courses a on a.class_id = k.id
        where m.user_id = ${userId} and a.course_id = s.course_id) as "isAssigned"
    from course_sections s
    join courses c on c.course_id = s.course_id and c.deleted_at is null
    where s.deleted_at is null and ${which}`)) as { rows: unknown[] };
  const sections = Sections.parse(rows);
  const offer = (await db.execute(sql`
    select exists (select 1 from prices p join products q on q.id = p.product_id
      where p.deleted_at is null and q.deleted_at is null and q.active
        and p.pricing_type = 'recurring') as "sellsPlans"`)) as { rows: unknown[] };
  const [{ sellsPlans }] = Offer.parse(offer.rows);
  const { plan } = await createPlanReader({ db, now: () => at })(userId);
  const isOpen = (section: Omit<SectionFacts, 'plan'>): boolean =>
    sectionLock({ ...section, plan: sellsPlans ? { plan, confirmedAt: at } : null }, at) === null;
  return {
    sectionIds: sections.map(({ courseSectionId }) => courseSectionId),
    openIds: sections.filter(isOpen).map(({ courseSectionId }) => courseSectionId),
    isOutsideOpen: isOpen({ courseStatus: 'available', isFirst: false, isStarted: false, isAssigned: false }),
  };
}
