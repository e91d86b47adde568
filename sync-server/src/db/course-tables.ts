/** Declares what the server itself knows about a learner's courses. */
import { pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tables } from './tables.ts';

/**
 * The sections that a learner began while they were open. Devices report in `user_course_interaction` what they have
 * opened, and could report a locked section, so a row is written only when the server finds the section open.
 */
export const openedSections = pgTable(
  'opened_sections',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId, { onDelete: 'cascade' }),
    courseSectionId: uuid('course_section_id')
      .notNull()
      .references(() => tables.courseSections.courseSectionId, { onDelete: 'cascade' }),
    openedAt: timestamp('opened_at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
  },
  (self) => [primaryKey({ columns: [self.userId, self.courseSectionId] })],
);
