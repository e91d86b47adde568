/** Declares the table of crash reports. */
import { CRASH_SOURCES } from '@parley/contract';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

/**
 * `userId` limits what one account can store, and lets a report be deleted with its account; the panel does not show
 * it.
 */
export const crashReports = pgTable(
  'crash_reports',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId, { onDelete: 'cascade' }),
    receivedAt: at('received_at').notNull(),
    at: at('at').notNull(),
    source: text('source', { enum: CRASH_SOURCES }).notNull(),
    version: text('version').notNull(),
    system: text('system').notNull(),
    kind: text('kind').notNull(),
    code: text('code'),
    frames: jsonb('frames').$type<string[]>().notNull(),
  },
  (self) => [
    index('crash_reports_received_at_index').on(self.receivedAt),
    index('crash_reports_user_id_received_at_index').on(self.userId, self.receivedAt),
  ],
);
