/** Declares the table of learners' reports about practices. */
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

/**
 * `userId` limits what one account can send, and lets a report be deleted with its account; the panel does not show it.
 */
export const practiceReports = pgTable(
  'practice_reports',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId, { onDelete: 'cascade' }),
    receivedAt: at('received_at').notNull(),
    at: at('at').notNull(),
    practiceId: uuid('practice_id').notNull(),
    node: text('node'),
    line: text('line'),
    text: text('text').notNull(),
    /** When an admin closed the report; null until then. */
    closedAt: at('closed_at'),
  },
  (self) => [
    index('practice_reports_closed_at_received_at_index').on(self.closedAt, self.receivedAt),
    index('practice_reports_user_id_received_at_index').on(self.userId, self.receivedAt),
  ],
);
