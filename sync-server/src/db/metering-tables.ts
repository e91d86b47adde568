/** Declares the tables of the AI ledger and of live minutes. */
import { PRACTICE_STYLES } from '@parley/domain';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

/** The purpose of a call in the ledger. */
export const AI_USES = [
  'live',
  'reply',
  'judge',
  'review',
  'hint',
  'translate',
  'draft',
  'transcribe',
  'assess',
  'speak',
  'wordless',
] as const;

/** The AI ledger: seconds with a model coach, and the cost of each call. Rows are only added; a refund is a negative row. */
export const aiUsage = pgTable(
  'ai_usage',
  {
    /** Identifies the usage, so that it is never counted twice. */
    id: text('id').primaryKey(),
    /** Null after the learner was erased; the row is kept for the day's total cost. */
    userId: uuid('user_id').references(() => tables.users.userId),
    sessionId: uuid('session_id'),
    use: text('use', { enum: AI_USES }).notNull(),
    style: text('style', { enum: PRACTICE_STYLES }).notNull(),
    /** Seconds of live minutes, or of audio without words. */
    seconds: integer('seconds').notNull().default(0),
    /** Millionths of a US dollar; 0 for a self-hosted model. */
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    model: text('model'),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** Whether the cost is an upper estimate because the provider did not report it. */
    isEstimate: boolean('is_estimate').notNull().default(false),
    /** The learner's local calendar day. */
    localDay: text('local_day').notNull(),
    at: at('at').notNull(),
  },
  (self) => [index('ai_usage_user_id_at_index').on(self.userId, self.at), index('ai_usage_at_index').on(self.at)],
);

/** Spending per UTC day, in total and for accounts without an address. */
export const aiSpending = pgTable(
  'ai_spending',
  {
    /** For example `2026-11-21`. */
    day: text('day').notNull(),
    payer: text('payer', { enum: ['all', 'anonymous'] }).notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
  },
  (self) => [primaryKey({ columns: [self.day, self.payer] })],
);

/** The maximum cost of calls in progress. The reservation of a crashed server expires. */
export const aiReservations = pgTable(
  'ai_reservations',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    isAnonymous: boolean('is_anonymous').notNull(),
    /** Whether live minutes pay for the call. */
    isLeased: boolean('is_leased').notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (self) => [index('ai_reservations_expires_at_index').on(self.expiresAt)],
);

/** The single lease of an account, acquired minute by minute. */
export const aiLeases = pgTable('ai_leases', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  sessionId: uuid('session_id').notNull(),
  deviceId: uuid('device_id').notNull(),
  style: text('style', { enum: PRACTICE_STYLES }).notNull(),
  timeZone: text('time_zone').notNull(),
  /** The time until which the ledger contains the lease's seconds. */
  countedUntil: at('counted_until').notNull(),
  expiresAt: at('expires_at').notNull(),
  /** When the realtime connection was last heard from; null when the device itself renews each minute. */
  seenAt: at('seen_at'),
  /** The realtime connection that holds the lease. Another one of the same session takes it over. */
  connectionId: uuid('connection_id'),
  /**
   * When the device, or its newest connection, acquired the conversation, which it has held without interruption since.
   */
  beganAt: at('began_at').notNull().defaultNow(),
  /** How much of the learner's speech the server has transcribed since then. */
  heardMs: integer('heard_ms').notNull().default(0),
  /** Time up to here stays counted even if transcription fails later; null when no speech was transcribed yet. */
  servedUntil: at('served_until'),
  /** Whether the latest speech could not be transcribed through no fault of the learner. */
  isFailing: boolean('is_failing').notNull().default(false),
});
