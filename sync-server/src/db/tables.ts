/** Every table of the server: the entities', drawn from their declarations, and those that only the server has. */
import { DEVICE_PLATFORMS, type MutationRejection } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable, PRACTICE_STYLES } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { drawTable, enumOf, type TableOf } from './draw-table.ts';

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
export const devices = pgTable('devices', {
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
});

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
    userId: uuid('user_id')
      .notNull()
      .references(() => tables.users.userId),
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
    /** The learner's calendar day, where it was said. */
    localDay: text('local_day').notNull(),
    at: at('at').notNull(),
  },
  (self) => [index('ai_usage_user_id_at_index').on(self.userId, self.at), index('ai_usage_at_index').on(self.at)],
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
});
