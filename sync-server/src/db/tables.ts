/** Every table of the server: the entities', drawn from their declarations, and those that only the server has. */
import { DEVICE_PLATFORMS, type MutationRejection } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, entityKeyByTable } from '@parley/domain';
import { getTableColumns } from 'drizzle-orm';
import { type AnyPgColumn, bigint, pgEnum, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
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
