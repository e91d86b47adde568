/**
 * The messages of the sync protocol; `docs/protocol.md` explains their use. A test keeps their fingerprint, so they cannot change without a
 * new protocol version.
 */
import { DeviceId, FieldClocks, HYBRID_TIME, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { MAX_MUTATIONS_PER_PUSH, MAX_NAME_LENGTH } from './limits.ts';

export const SYNC_PROTOCOL: number = 3;
/** The server accepts the last two versions. */
export const OLDEST_SYNC_PROTOCOL: number = 2;

const AnyProtocol = z.number().int().min(1);

/**
 * A request of which only the protocol version has been read. The value is passed on unchanged, because a copy would
 * lose keys such as `__proto__`.
 */
export const AnyProtocolRequest = z
  .custom<{ protocol: number }>(
    (value) =>
      z.core.util.isPlainObject(value) && AnyProtocol.safeParse((value as { protocol?: unknown }).protocol).success,
  )
  .meta({ type: 'object', properties: { protocol: { type: 'integer', minimum: 1 } }, required: ['protocol'] });

/**
 * Changes when the server's database is restored to an earlier time. Versions of different epochs are never compared.
 */
export const SyncEpoch = z.string().min(1).max(120);

/** A hybrid logical clock, `<13 digits of milliseconds>-<4 hex digits of counter>-<device id>`, which sorts as text. */
export const HybridTime = z.string().regex(HYBRID_TIME);
export type HybridTime = z.infer<typeof HybridTime>;

type Fields = Record<string, z.core.util.JSONType>;

/**
 * JSON values by field name. The text has been parsed by now, and each value is checked against its field's schema later. Checking every
 * value here as well would take as long as storing it.
 */
const Fields = z
  .custom<Fields>(
    (value) =>
      z.core.util.isPlainObject(value) && Object.keys(value as Fields).every((name) => name.length <= MAX_NAME_LENGTH),
  )
  .meta({
    type: 'object',
    propertyNames: { type: 'string', maxLength: MAX_NAME_LENGTH },
    additionalProperties: {},
  });

export const Mutation = z.strictObject({
  id: z.uuid(),
  /** Counts from 1 for each device, without gaps. */
  deviceSeq: z.number().int().min(1),
  table: z.string().min(1).max(MAX_NAME_LENGTH),
  rowId: z.uuid(),
  /** `restore` sends the whole row to a server that has lost it; each field keeps its own time. */
  op: z.enum(['upsert', 'delete', 'restore']),
  /** Wire values of the changed fields; empty for a delete. */
  fields: Fields,
  at: HybridTime,
  /** The row's `syncVersion` on the device before the change; 0 for a row that the server has not confirmed. */
  base: z.number().int().min(0),
  /** For a `restore`: when each field was set. */
  clocks: FieldClocks.optional(),
});
export type Mutation = z.infer<typeof Mutation>;

export const PushRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  /** Null on a device that does not know the epoch yet. */
  epoch: SyncEpoch.nullable(),
  /** The device's current time. The server subtracts the difference to its own clock from the times of the changes. */
  now: z.iso.datetime(),
  mutations: z.array(Mutation).max(MAX_MUTATIONS_PER_PUSH),
});
export type PushRequest = z.infer<typeof PushRequest>;

export const MUTATION_REJECTIONS = [
  'not_yours',
  'account_field',
  'unknown_table',
  'unknown_field',
  'invalid_value',
  'read_only',
  'missing_reference',
  'conflict',
  /** The change is valid, but the resulting row would exceed its size limit. */
  'limit_exceeded',
] as const;
export type MutationRejection = (typeof MUTATION_REJECTIONS)[number];

/** A field that was dropped from a change that was otherwise accepted. */
export const RefusedField = z.strictObject({ field: z.string(), code: z.enum(['unknown_field', 'invalid_value']) });
export type RefusedField = z.infer<typeof RefusedField>;

const Rejected = z.strictObject({
  id: z.uuid(),
  status: z.literal('rejected'),
  code: z.enum(MUTATION_REJECTIONS),
  field: z.string().nullable(),
});

export const MutationOutcome = z.discriminatedUnion('status', [
  /** The server's row equals the device's row, apart from the times and the version that the server sets. */
  z.strictObject({
    id: z.uuid(),
    status: z.literal('applied'),
    /** The time assigned to the change, when it differs from the device's. */
    at: HybridTime.optional(),
  }),
  /** Accepted, but the merged row differs from the device's row and is returned with the reply. */
  z.strictObject({ id: z.uuid(), status: z.literal('merged'), refused: z.array(RefusedField).optional() }),
  z.strictObject({ id: z.uuid(), status: z.literal('duplicate') }),
  Rejected,
]);
export type MutationOutcome = z.infer<typeof MutationOutcome>;

/** Each value is checked against its field's schema when the row is read. Visiting every value here takes as long as parsing the text. */
const WireRow = z.custom<unknown[]>((value) => Array.isArray(value)).meta({ type: 'array', items: {} });

/** Rows of one table on the wire: the field names once, then the wire values in that order. Tombstones are included. */
export const TableRows = z.strictObject({
  table: z.string().max(MAX_NAME_LENGTH),
  fields: z.array(z.string().max(MAX_NAME_LENGTH)).max(200),
  rows: z.array(WireRow),
});
export type TableRows = z.infer<typeof TableRows>;

const Version = z.number().int().min(0);

export const PushResponse = z.strictObject({
  epoch: SyncEpoch,
  /** A fingerprint of the fields that the server knows. When it changes, the server may accept changes that it refused as unknown. */
  schema: z.string().max(64),
  outcomes: z.array(MutationOutcome),
  /** The device's last sequence number that the server has. */
  lastSeq: Version,
  userVersion: Version,
  /** The learner's version before this push. A device at this version has missed nothing and is at `userVersion` now. */
  previousVersion: Version,
  /** When the server accepted the changes: `updatedAt` of their rows, and `deletedAt` of deleted rows. */
  at: z.iso.datetime(),
  /** The server's rows for changes that were merged or rejected. */
  rows: z.array(TableRows),
});
export type PushResponse = z.infer<typeof PushResponse>;

/** How far a device has read. */
export const StreamCursors = z.strictObject({
  catalogue: Version,
  user: Version,
  /** The learner's rows below this version are still to be read, newest first; null when there are none. */
  older: Version.nullable(),
});
export type StreamCursors = z.infer<typeof StreamCursors>;

export const StreamRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  /** Null on a device that starts over. */
  epoch: SyncEpoch.nullable(),
  cursors: StreamCursors,
  /**
   * The last sequence number of this device that the server has acknowledged. A server that knows less has been restored to an earlier
   * time.
   */
  answeredSeq: Version,
});
export type StreamRequest = z.infer<typeof StreamRequest>;

/** One line of the stream. A stream without `end` was cut off and resumes from the cursors of its last page. */
export const StreamLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('page'),
    epoch: SyncEpoch,
    userId: LearnerId,
    tables: z.array(TableRows),
    next: StreamCursors,
  }),
  z.strictObject({ type: z.literal('end'), epoch: SyncEpoch }),
]);
export type StreamLine = z.infer<typeof StreamLine>;
export type StreamPage = Extract<StreamLine, { type: 'page' }>;

/**
 * Why a device must fetch everything again: it missed deletions that the server has purged, or the server was restored to an earlier time.
 */
export const RESYNC_REASONS = ['purged', 'epoch'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** Contains only the current version of each scope, so losing one is harmless. */
export const Poke = z.strictObject({ user: Version, catalogue: Version });
export type Poke = z.infer<typeof Poke>;
