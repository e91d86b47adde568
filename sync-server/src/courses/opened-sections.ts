/** Records the sections that a learner has begun, which stay open to them. */
import type { Mutation } from '@parley/contract';
import { InteractionDetails } from '@parley/domain';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { openedSections } from '../db/course-tables.ts';
import { readSectionLocks } from './section-locks.ts';

const Details = InteractionDetails.pick({ courseSectionId: true });

/** Whether any of these changes can refer to a section. */
export const mayOpenSections = (changes: readonly Pick<Mutation, 'table'>[]): boolean =>
  changes.some(({ table }) => table === 'user_course_interaction');

/** `changes` are the applied changes to the learner's rows. Locked sections to which they refer are left out. */
export async function recordOpenedSections(
  tx: Database,
  { userId, changes, at }: { userId: string; changes: readonly Pick<Mutation, 'table' | 'fields'>[]; at: Date },
): Promise<void> {
  const named = new Set(
    changes.flatMap(({ table, fields }) => {
      if (table !== 'user_course_interaction') return [];
      const id = Details.safeParse(fields['details']).data?.courseSectionId ?? null;
      return id === null ? [] : [id.toLowerCase()];
    }),
  );
  if (named.size === 0) return;
  const known = await tx
    .select({ id: openedSections.courseSectionId })
    .from(openedSections)
    .where(and(eq(openedSections.userId, userId), inArray(openedSections.courseSectionId, [...named])));
  for (const { id } of known) named.delete(id);
  if (named.size === 0) return;
  const which = sql`s.course_section_id in (${sql.join(
    [...named].map((id) => sql`${id}::uuid`),
    sql`, `,
  )})`;
  const { openIds } = await readSectionLocks(tx, { userId, which, at });
  const rows = openIds.map((courseSectionId) => ({ userId, courseSectionId, openedAt: at }));
  if (rows.length > 0) await tx.insert(openedSections).values(rows).onConflictDoNothing();
}
