/**
 * Declares the tables of a school: its settings, the texts of its site, its classes, and the second factors of its
 * admins.
 */
import { SITE_TEXT_NAMES } from '@parley/contract';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

/** A single row; the defaults apply while it does not exist. */
export const schoolSettings = pgTable('school_settings', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  contactEmail: text('contact_email'),
  /** IANA name of the time zone in which the weeks and days of the statistics begin. */
  timeZone: text('time_zone').notNull(),
  requiresSecondFactor: boolean('requires_second_factor').notNull(),
  /** How long entries of the audit log are kept; null keeps them for ever. */
  auditMonths: integer('audit_months'),
  /** How long the e-mail log is kept; null keeps it for ever. */
  mailMonths: integer('mail_months'),
  /** Null for Parley's own colour. */
  colour: text('colour'),
  /** The hash of the logo's content, under which the storage has it; null when there is no logo. */
  logoSha256: text('logo_sha256'),
  logoWidth: integer('logo_width'),
  logoHeight: integer('logo_height'),
  updatedAt: at('updated_at').notNull(),
});

/**
 * A text of the public site in one language. The row stays when the text is withdrawn, so that revisions are never
 * reused.
 */
export const siteTexts = pgTable(
  'site_texts',
  {
    name: text('name', { enum: SITE_TEXT_NAMES }).notNull(),
    language: text('language').notNull(),
    draft: text('draft'),
    published: text('published'),
    revision: integer('revision').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (self) => [primaryKey({ columns: [self.name, self.language] })],
);

/** An admin's authenticator app. Unconfirmed rows are attempts to set one up. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  /** Encrypted with the server's secret. */
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: at('created_at').notNull(),
  confirmedAt: at('confirmed_at'),
  /** The newest time step whose code was used, so that no code works twice. */
  lastUsedStep: bigint('last_used_step', { mode: 'number' }).notNull().default(0),
  wrongCodes: integer('wrong_codes').notNull().default(0),
  lockedUntil: at('locked_until'),
});

export const classes = pgTable('classes', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  createdAt: at('created_at').notNull(),
  /** An archived class keeps its history and can be restored. */
  archivedAt: at('archived_at'),
});

export const classMembers = pgTable(
  'class_members',
  {
    classId: uuid('class_id')
      .notNull()
      .references(() => classes.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId),
    addedAt: at('added_at').notNull(),
  },
  (self) => [
    primaryKey({ columns: [self.classId, self.userId] }),
    index('class_members_user_id_index').on(self.userId),
  ],
);

export const classCourses = pgTable(
  'class_courses',
  {
    classId: uuid('class_id')
      .notNull()
      .references(() => classes.id),
    courseId: uuid('course_id')
      .notNull()
      .references(() => tables.courses.courseId),
    dueAt: at('due_at'),
    assignedAt: at('assigned_at').notNull(),
  },
  (self) => [primaryKey({ columns: [self.classId, self.courseId] })],
);
