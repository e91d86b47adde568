/** Declares every table of the server: those built from entities, and those that only the server has. */
import { DEVICE_PLATFORMS, type MutationRejection, type RefusedField } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable, PLAN_TYPES } from '@parley/domain';
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
  uuid,
} from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tableFromEntity, enumFor, type TableOf } from './table-from-entity.ts';

export { BYTE_COUNT_COLUMNS } from './table-from-entity.ts';

type Tables = { [Key in EntityKey]: TableOf<(typeof entities)[Key]> };

const tableNamed = (name: string): Record<string, AnyPgColumn> => {
  const key = entityKeyByTable.get(name);
  if (key === undefined) throw new Error(`no table ${name}`);
  return getTableColumns(tables[key]);
};

export const tables: Tables = Object.fromEntries(
  ENTITY_KEYS.map((key) => [key, tableFromEntity(entities[key], tableNamed)]),
) as unknown as Tables;

/** The Postgres enumerations of all entities. */
export const enumerations = ENTITY_KEYS.flatMap((key) => Object.values(entities[key].fields)).flatMap((field) =>
  field.enumeration === null ? [] : [enumFor(field.enumeration)],
);

export const devicePlatform = pgEnum('device_platform', DEVICE_PLATFORMS);

/** The devices of learners; a revoked device keeps its row. */
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
    /** The sequence number of the last change that was applied for this device. */
    lastSeq: bigint('last_seq', { mode: 'number' }).notNull().default(0),
    /** The device's newest change, by its own clock; null when none is known. See `orderChanges`. */
    lastChangeAt: text('last_change_at'),
    /** The correction that was added to that time to match the server's clock, in ms. */
    lastChangeOffsetMs: bigint('last_change_offset_ms', { mode: 'number' }),
    createdAt: at('created_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    revokedAt: at('revoked_at'),
    /** The key with which the device's data can be deleted remotely; null when its app cannot do that. */
    wipeKey: text('wipe_key'),
    wipeRequestedAt: at('wipe_requested_at'),
    /** When the device reported the deletion. */
    wipedAt: at('wiped_at'),
    /** The IANA time zone that the device last reported, used to avoid e-mails at night. */
    timeZone: text('time_zone'),
    /** The language that the app last reported, if the server supports it, for e-mails and pages. */
    language: text('language'),
    /**
     * When a code or link last proved the account's address on this device; null if never, for example on a device that
     * joined by link code.
     */
    confirmedAt: at('confirmed_at'),
    /**
     * For protocol 2, the epoch in which the device started its stream; null means the epoch that was current when this column was added.
     */
    epoch: text('epoch'),
  },
  (self) => [index('devices_user_id_index').on(self.userId)],
);

/** Hashed, short-lived, single-use codes with which another device joins an account. */
export const linkCodes = pgTable('link_codes', {
  codeHash: text('code_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => tables.users.userId),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
});

/** One version counter per scope: `user:<id>` or `catalogue`. Its row lock makes the commit order equal the version order. */
export const syncScopes = pgTable('sync_scopes', {
  scope: text('scope').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
  /** Deletions up to this version may have been purged; a device whose position is lower fetches everything again. */
  floor: bigint('floor', { mode: 'number' }).notNull().default(0),
  /**
   * Set when a device of this learner knew more than the server; it is part of the epoch that the learner's devices
   * see.
   */
  epoch: text('epoch'),
  /** The bytes of this learner's rows that count towards the quota; null when they have to be counted again. */
  storedBytes: bigint('stored_bytes', { mode: 'number' }),
});

/**
 * Sessions whose stored conversation is older than their turns. It is recomputed only when an old client or an export reads it, since it is
 * far larger than a turn.
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

/** The server's own state, in one row. */
export const serverState = pgTable('server_state', {
  id: integer('id').primaryKey(),
  /** Replaced after the database was restored to an earlier time. */
  epoch: text('epoch').notNull(),
  /** When this server, or a device, last noticed that the database was restored; null if never. */
  restoredAt: at('restored_at'),
  /**
   * When the first of the devices that noticed it most recently did so; null if none has since the server noticed it.
   */
  restoreClaimedAt: at('restore_claimed_at'),
  /**
   * The server's identity, by which apps recognise it. Unlike the epoch, it survives every restore; null until the
   * first app asks.
   */
  serverId: uuid('server_id'),
  /** Identifies this database; null before the first start. */
  identity: text('identity'),
  /** The number of applied pushes, counted only if a marker file next to the database keeps the same count. */
  commits: bigint('commits', { mode: 'number' }).notNull().default(0),
  /** When all stored conversations had been migrated to turn rows; null until then. */
  turnsMovedAt: at('turns_moved_at'),
});

/**
 * Request counters shared by all nodes, in the shape that rate-limiter-flexible requires. Keys are hashed because an address is personal
 * data. The table is unlogged, so that counting does not wait for the disk; a database crash resets the counters.
 */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  expire: at('expire'),
});

/** Refused changes, kept until their device has moved on, so that a retry after a lost response gets the same outcome. */
export const rejections = pgTable(
  'rejections',
  {
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.deviceId),
    deviceSeq: bigint('device_seq', { mode: 'number' }).notNull(),
    code: text('code').$type<MutationRejection>().notNull(),
    field: text('field'),
    /** Set when the change was applied without these fields. */
    refused: jsonb('refused').$type<RefusedField[]>(),
  },
  (self) => [primaryKey({ columns: [self.deviceId, self.deviceSeq] })],
);

/** Sign-in messages: a hashed code to type and a hashed link to open, each valid once. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: uuid('id').primaryKey(),
    /** The address in lower case. */
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    linkHash: text('link_hash').notNull().unique(),
    triesLeft: integer('tries_left').notNull(),
    codeExpiresAt: at('code_expires_at').notNull(),
    linkExpiresAt: at('link_expires_at').notNull(),
    usedAt: at('used_at'),
    createdAt: at('created_at').notNull(),
    /** The hashed id of the requesting app, without which the code is worthless; null when there is no code. */
    requestHash: text('request_hash'),
    /** The authenticated device that asked; older apps send no request id. */
    deviceId: uuid('device_id'),
    /** The sealed requester: a network, or one of the owner's own devices or browsers. */
    requester: text('requester').notNull().default(''),
    /** Whether the owner of the address has signed in before on the requesting device or browser. */
    isKnown: boolean('is_known').notNull().default(false),
    wrongGuesses: integer('wrong_guesses').notNull().default(0),
  },
  (self) => [
    index('sign_ins_email_created_at_index').on(self.email, self.createdAt),
    index('sign_ins_created_at_index').on(self.createdAt),
    index('sign_ins_requester_created_at_index').on(self.requester, self.createdAt),
  ],
);

/** Signed-in browsers, by cookie. */
export const webSessions = pgTable('web_sessions', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => tables.users.userId),
  /** SHA-256 of the cookie's secret, hex. */
  tokenHash: text('token_hash').notNull(),
  userAgent: text('user_agent').notNull(),
  /** The language of the pages when the browser signed in, if the server supports it. */
  language: text('language'),
  createdAt: at('created_at').notNull(),
  lastSeenAt: at('last_seen_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  revokedAt: at('revoked_at'),
  /** When a code or link last proved the account's address in this browser; null for sessions older than this column. */
  confirmedAt: at('confirmed_at'),
  /** When a code of the authenticator app was last entered in this browser. */
  secondFactorAt: at('second_factor_at'),
});

export const AUDITED_ACTIONS = [
  'access_requested',
  'access_granted',
  'access_revoked',
  'admin_granted',
  'admin_revoked',
  'plan_changed',
  'signed_in',
  'signed_out',
  'device_wipe_requested',
  'device_wiped',
  'deletion_requested',
  'deletion_withdrawn',
  'account_erased',
  'content_created',
  'content_saved',
  'content_published',
  'content_withdrawn',
  'content_reverted',
  'content_deleted',
  'content_unscheduled',
  'content_update_dismissed',
  'content_preview_linked',
  'pack_imported',
  'media_uploaded',
  'media_cover_changed',
  'access_link_sent',
  'address_corrected',
  'settings_changed',
  'site_text_saved',
  'site_text_published',
  'site_text_taken_back',
  'records_deleted',
  'mail_resent',
  'second_factor_added',
  'second_factor_removed',
  'class_created',
  'class_changed',
  'class_joined',
  'class_left',
  'class_archived',
  'class_restored',
  'report_closed',
] as const;

/** The kind of subject of an audit entry; `subjectId` is its id. */
export const AUDIT_SUBJECTS = ['learner', 'class', 'settings', 'mail', 'content', 'media'] as const;
type AuditedState = Record<string, string | number | boolean | null>;

/** Records who did what to which account and why. Rows are only added, and deleted when the school's retention ends. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull(),
    /** Null when the server or a payment provider acted. */
    actorId: uuid('actor_id'),
    subjectId: uuid('subject_id').notNull(),
    subject: text('subject', { enum: AUDIT_SUBJECTS }).notNull().default('learner'),
    act: text('act', { enum: AUDITED_ACTIONS }).notNull(),
    reason: text('reason'),
    details: jsonb('details').$type<AuditedState>().notNull().default({}),
    /** The fields that the action changed; null when it created the subject, or changed no field. */
    before: jsonb('before').$type<AuditedState>(),
    after: jsonb('after').$type<AuditedState>(),
  },
  (self) => [
    index('audit_log_subject_id_at_index').on(self.subjectId, self.at),
    index('audit_log_at_index').on(self.at),
    index('audit_log_actor_id_at_index').on(self.actorId, self.at),
  ],
);

/** Requested account deletions, which owners can still withdraw. */
export const accountDeletions = pgTable('account_deletions', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  requestedAt: at('requested_at').notNull(),
  eraseAt: at('erase_at').notNull(),
  /**
   * Set for an erasure without a request: the account to which the last device has moved with all its data, or the
   * account itself when no device uses it any more. If a device returns, or the account gets an address or an admin's
   * decision, it is kept.
   */
  leftFor: uuid('left_for'),
});

/**
 * Accounts that were erased on request, so that a device that still has their data cannot register them again. Ids are random, so a hash
 * reveals nothing to a reader who does not know the id.
 */
export const erasedAccounts = pgTable('erased_accounts', {
  userIdHash: text('user_id_hash').primaryKey(),
  erasedAt: at('erased_at').notNull(),
});

/**
 * Details of a plan that are not synced to devices: its pending change as the provider reports it, and the state of its
 * payments.
 */
export const pendingPlanChanges = pgTable('plan_outlooks', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => tables.users.userId),
  /** The provider's id. */
  nextPriceId: text('next_price_id'),
  nextAt: at('next_at'),
  /** Whether the plan ends because the account is to be erased or has lost access; it continues if that is undone. */
  endsWithAccount: boolean('ends_with_account').notNull(),
  /** Whether the period's invoice is a draft or open. */
  isPeriodUnpaid: boolean('is_period_unpaid').notNull().default(false),
  pastDueSince: at('past_due_since'),
  paidPlan: text('paid_plan', { enum: PLAN_TYPES }),
  paidUntil: at('paid_until'),
});

/** Payment provider events by their own id, so that a repeated event is handled once. */
export const billingEvents = pgTable('billing_events', {
  eventId: text('event_id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: at('received_at').notNull(),
  /** Null while the event has not been handled. */
  handledAt: at('handled_at'),
});
