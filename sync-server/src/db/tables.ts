/** Every table of the server: the entities', drawn from their declarations, and those that only the server has. */
import { DEVICE_PLATFORMS, type MutationRejection, type RefusedField } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable, PRACTICE_STYLES } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { drawTable, enumOf, type TableOf } from './draw-table.ts';

export { BYTE_COUNTS } from './draw-table.ts';

type Tables = { [Key in EntityKey]: TableOf<(typeof entities)[Key]> };

const tableNamed = (name: string): Record<string, AnyPgColumn> => {
  const key = entityKeyByTable.get(name);
  if (key === undefined) throw new Error(`no table ${name}`);
  return getTableColumns(tables[key]);
};

export const tables: Tables = Object.fromEntries(
  ENTITY_KEYS.map((key) => [key, drawTable(entities[key], tableNamed)]),
) as unknown as Tables;

/** Postgres enumerations of all entities. */
export const enumerations = ENTITY_KEYS.flatMap((key) => Object.values(entities[key].fields)).flatMap((field) =>
  field.enumeration === null ? [] : [enumOf(field.enumeration)],
);

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const devicePlatform = pgEnum('device_platform', DEVICE_PLATFORMS);

/** A learner's devices; a revoked one keeps its row. */
export const devices = pgTable(
  'devices',
  {
    deviceId: uuid('device_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId),
    name: text('name').notNull(),
    platform: devicePlatform('platform').notNull(),
    /** SHA-256 of the bearer token, hex. */
    tokenHash: text('token_hash').notNull(),
    /** The last change of this device that was taken in. */
    lastSeq: bigint('last_seq', { mode: 'number' }).notNull().default(0),
    createdAt: at('created_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    revokedAt: at('revoked_at'),
    /** IANA name, as the device last said it: nobody gets mail at night. */
    timeZone: text('time_zone'),
    /** When a code or a link last proved the account's address on this device; null: never, as for a device that joined by a link code. */
    confirmedAt: at('confirmed_at'),
    /** Of a device of protocol 2, the epoch in which it began its stream; null: the one that was current when devices got this column. */
    epoch: text('epoch'),
  },
  (self) => [index('devices_user_id_index').on(self.userId)],
);

/** Codes with which another device joins an account: hashed, short-lived, used once. */
export const linkCodes = pgTable('link_codes', {
  codeHash: text('code_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => tables.users.userId),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
});

/** One version counter a scope: `user:<id>`, or `catalogue`. Its row lock makes commit order the version order. */
export const syncScopes = pgTable('sync_scopes', {
  scope: text('scope').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
  /** Deletions up to this version may be forgotten: who has not come so far fetches everything again. */
  floor: bigint('floor', { mode: 'number' }).notNull().default(0),
  /** Set when a device of this learner knew more than the server: part of the epoch that the learner's devices see. */
  epoch: text('epoch'),
  /** What this learner's rows take of their quota; null when that is to be counted. */
  storedBytes: bigint('stored_bytes', { mode: 'number' }),
});

/**
 * Sessions whose stored conversation is older than their turns. It is computed when somebody reads it: who knows turns as rows never does,
 * and it is far longer than a turn.
 */
export const staleConversations = pgTable(
  'stale_conversations',
  {
    sessionId: uuid('session_id')
      .primaryKey()
      .references(() => tables.practiceHistory.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
  },
  (self) => [index('stale_conversations_user_id_index').on(self.userId)],
);

/** What the server knows of itself; one row. */
export const serverState = pgTable('server_state', {
  id: integer('id').primaryKey(),
  /** Drawn anew when the database was restored to an earlier time. */
  epoch: text('epoch').notNull(),
  /** Which database this is; null before the first start. */
  identity: text('identity'),
  /** Pushes taken in, counted where a file beside the database keeps the same count. */
  commits: bigint('commits', { mode: 'number' }).notNull().default(0),
  /** All conversations that were stored in one field before are rows of turns; null: not yet. */
  turnsMovedAt: at('turns_moved_at'),
});

/**
 * How often each caller has asked, for all nodes; in the shape that rate-limiter-flexible needs. Keys are hashed: an address is personal
 * data. The migration makes it unlogged, so that counting a call does not wait for the disk; after a crash of the database counting
 * begins again.
 */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  expire: at('expire'),
});

/** Changes that were refused, until their device has gone on: an answer that was lost is given again word for word. */
export const rejections = pgTable(
  'rejections',
  {
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.deviceId),
    deviceSeq: bigint('device_seq', { mode: 'number' }).notNull(),
    code: text('code').$type<MutationRejection>().notNull(),
    field: text('field'),
    /** Set for a change that was taken in without these fields. */
    refused: jsonb('refused').$type<RefusedField[]>(),
  },
  (self) => [primaryKey({ columns: [self.deviceId, self.deviceSeq] })],
);

/** What a call of the ledger paid for. */
export const AI_USES = [
  'live',
  'reply',
  'judge',
  'review',
  'hint',
  'translate',
  'transcribe',
  'assess',
  'speak',
] as const;

/** The ledger of AI: seconds of live conversation and what each call cost. Rows are only added; what is given back is a negative row. */
export const aiUsage = pgTable(
  'ai_usage',
  {
    /** Names what was used: the same is never counted twice. */
    id: text('id').primaryKey(),
    /** Null: of somebody who was erased; what a day has cost must stay countable. */
    userId: uuid('user_id').references(() => tables.users.userId),
    sessionId: uuid('session_id'),
    use: text('use', { enum: AI_USES }).notNull(),
    style: text('style', { enum: PRACTICE_STYLES }).notNull(),
    /** Of live conversation. */
    seconds: integer('seconds').notNull().default(0),
    /** Millionths of a US dollar; 0 for a model of one's own. */
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    model: text('model'),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** The provider did not tell: rather too much. */
    isEstimate: boolean('is_estimate').notNull().default(false),
    /** The learner's calendar day, where it was said. */
    localDay: text('local_day').notNull(),
    at: at('at').notNull(),
  },
  (self) => [index('ai_usage_user_id_at_index').on(self.userId, self.at), index('ai_usage_at_index').on(self.at)],
);

/** What a day of UTC has cost so far: all learners, and of that the accounts that have no address. */
export const aiSpending = pgTable(
  'ai_spending',
  {
    /** `2026-11-21`. */
    day: text('day').notNull(),
    payer: text('payer', { enum: ['all', 'anonymous'] }).notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
  },
  (self) => [primaryKey({ columns: [self.day, self.payer] })],
);

/** What calls that are under way may cost. One whose server died is forgotten when it expires. */
export const aiReservations = pgTable(
  'ai_reservations',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    isAnonymous: boolean('is_anonymous').notNull(),
    /** Paid for with live minutes. */
    isLeased: boolean('is_leased').notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (self) => [index('ai_reservations_expires_at_index').on(self.expiresAt)],
);

/** The one live conversation of an account, a minute at a time. */
export const aiLeases = pgTable('ai_leases', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  sessionId: uuid('session_id').notNull(),
  deviceId: uuid('device_id').notNull(),
  style: text('style', { enum: PRACTICE_STYLES }).notNull(),
  timeZone: text('time_zone').notNull(),
  /** Until when the ledger holds its seconds. */
  countedUntil: at('counted_until').notNull(),
  expiresAt: at('expires_at').notNull(),
  /** When the line of a call was last known to live; null where the device itself asks for each minute. */
  seenAt: at('seen_at'),
  /** Since when this device has held this conversation without a break. */
  beganAt: at('began_at').notNull().defaultNow(),
  /** Of the learner's speech since then that the server itself has put into words. */
  heardMs: integer('heard_ms').notNull().default(0),
  /** What the ledger holds until here stays counted, even if speech fails from then on; null: nothing was heard yet. */
  servedUntil: at('served_until'),
  /** The speech that came last could not be put into words, through no fault of the learner. */
  isFailing: boolean('is_failing').notNull().default(false),
});

/** Messages with which somebody may sign in: a code to type and a link to open, hashed, each good once. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: uuid('id').primaryKey(),
    /** In lower case. */
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    linkHash: text('link_hash').notNull().unique(),
    triesLeft: integer('tries_left').notNull(),
    codeExpiresAt: at('code_expires_at').notNull(),
    linkExpiresAt: at('link_expires_at').notNull(),
    usedAt: at('used_at'),
    createdAt: at('created_at').notNull(),
    /** Of the id that only the app has which asked for it: its code is worth nothing elsewhere. Null: it has no code. */
    requestHash: text('request_hash'),
    /** The device that asked, where it proved to be one: older apps know no id of a request. */
    deviceId: uuid('device_id'),
    /** Who asked, sealed: a network, or one of the owner's own devices or browsers. */
    requester: text('requester').notNull().default(''),
    /** Asked for by a device or a browser on which the owner of the address has signed in before. */
    isKnown: boolean('is_known').notNull().default(false),
    wrongGuesses: integer('wrong_guesses').notNull().default(0),
  },
  (self) => [
    index('sign_ins_email_created_at_index').on(self.email, self.createdAt),
    index('sign_ins_created_at_index').on(self.createdAt),
  ],
);

/** Browsers that are signed in, by cookie. */
export const webSessions = pgTable('web_sessions', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => tables.users.userId),
  /** SHA-256 of the cookie's secret, hex. */
  tokenHash: text('token_hash').notNull(),
  userAgent: text('user_agent').notNull(),
  createdAt: at('created_at').notNull(),
  lastSeenAt: at('last_seen_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  revokedAt: at('revoked_at'),
  /** When a code or a link last proved the account's address in this browser; null: before this was kept. */
  confirmedAt: at('confirmed_at'),
});

export const AUDITED_ACTS = [
  'access_requested',
  'access_granted',
  'access_revoked',
  'admin_granted',
  'admin_revoked',
  'plan_changed',
  'signed_in',
  'signed_out',
  'deletion_requested',
  'deletion_withdrawn',
  'account_erased',
] as const;

/** Who did what to whom, and why. Rows are only added. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull(),
    /** Null: the server itself, or a provider through it. */
    actorId: uuid('actor_id'),
    subjectId: uuid('subject_id').notNull(),
    act: text('act', { enum: AUDITED_ACTS }).notNull(),
    reason: text('reason'),
    details: jsonb('details').$type<Record<string, string | number | boolean | null>>().notNull().default({}),
  },
  (self) => [index('audit_log_subject_id_at_index').on(self.subjectId, self.at)],
);

/** Accounts that their owners have asked to erase: until then they may think again. */
export const accountDeletions = pgTable('account_deletions', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  requestedAt: at('requested_at').notNull(),
  eraseAt: at('erase_at').notNull(),
  /** Not asked for: its last device has moved to this account, with all that it held. Whoever comes back keeps it. */
  leftFor: uuid('left_for'),
});

/** What the provider says is to become of a plan; the row that devices have of it says what it is now. */
export const planOutlooks = pgTable('plan_outlooks', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  /** The provider's. */
  nextPriceId: text('next_price_id'),
  nextAt: at('next_at'),
  /** It ends because its account is to be erased or has lost access, and goes on when that is undone. */
  endsWithAccount: boolean('ends_with_account').notNull(),
  /** Its invoice is a draft, or open. */
  isPeriodUnpaid: boolean('is_period_unpaid').notNull().default(false),
});

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
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'bounced', 'dropped'] as const;

/** Every e-mail, before it is sent and after. The same one to the same learner exists once. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** Null: nobody has this address yet. */
    userId: uuid('user_id').references(() => tables.users.userId),
    to: text('to').notNull(),
    kind: text('kind', { enum: MAIL_KINDS }).notNull(),
    /** Which of its kind: the first reminder, the invoice's number. */
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
    /** Why it did not arrive. */
    trouble: text('trouble'),
  },
  (self) => [
    unique('mails_user_id_kind_step_unique').on(self.userId, self.kind, self.step),
    index('mails_state_next_try_at_index').on(self.state, self.nextTryAt),
  ],
);

/** What a payment provider has told, by its own id: told twice, it counts once. */
export const billingEvents = pgTable('billing_events', {
  eventId: text('event_id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: at('received_at').notNull(),
  /** Null: it could not be handled yet. */
  handledAt: at('handled_at'),
});
