/** Declares the table of e-mails. */
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

export const MAIL_KINDS = [
  'sign_in',
  'access_link',
  'access_link_again',
  'not_logged_in',
  'not_yet_practised',
  'plan_upgrade',
  'receipt',
  'trial_ending',
  'goodbye',
  'link_lost',
  'access_waiting',
] as const;
/**
 * - `queued`: to be sent, or to be tried again.
 * - `sending`: handed over at this moment; after a crash it becomes `failed`.
 * - `failed`: given up, or perhaps sent; an admin decides.
 * - `superseded`: a newer mail replaced it before it was sent.
 * - `suppressed`: its reason was gone, or its address bounces.
 * - `bounced`: the recipient's server returned it.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'failed', 'superseded', 'suppressed', 'bounced'] as const;

/** Every e-mail, before and after it is sent. The unique key prevents duplicates for a learner. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** Null while no account has this address. */
    userId: uuid('user_id').references(() => tables.users.userId),
    to: text('to').notNull(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull(),
    /** Identifies an e-mail within its kind, such as the first reminder or the invoice's number. */
    step: text('step').notNull(),
    subject: text('subject').notNull(),
    html: text('html').notNull(),
    text: text('text').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull().default({}),
    state: text('state', { enum: MAIL_STATES }).notNull(),
    tries: integer('tries').notNull().default(0),
    nextTryAt: at('next_try_at').notNull(),
    createdAt: at('created_at').notNull(),
    sentAt: at('sent_at'),
    /** Whether a `sent` mail was only written to the outbox folder, because no mail server was configured. */
    isWritten: boolean('is_written').notNull().default(false),
    /** When the bounce became known; null for other mails, and for bounces recorded by earlier versions. */
    bouncedAt: at('bounced_at'),
    /** When the recipient used the unsubscribe link in it. */
    dismissedAt: at('dismissed_at'),
    /** Why delivery failed. */
    trouble: text('trouble'),
  },
  (self) => [
    unique('mails_user_id_kind_step_unique').on(self.userId, self.kind, self.step),
    index('mails_state_next_try_at_index').on(self.state, self.nextTryAt),
    index('mails_created_at_index').on(self.createdAt),
  ],
);
