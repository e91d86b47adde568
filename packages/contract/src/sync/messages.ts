/**
 * The sync protocol's messages; `docs/protocol.md` says how they are used. They cannot change without a new protocol version: a test
 * keeps their fingerprint.
 */
import { DeviceId, FieldClocks, HYBRID_TIME, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { MAX_MUTATIONS_PER_PUSH, MAX_NAME_LENGTH } from './limits.ts';

export const SYNC_PROTOCOL: number = 3;
/** The server accepts the last two versions. */
export const OLDEST_SYNC_PROTOCOL: number = 2;

/** A request of which only the protocol is read yet. It is handed on as it came: a copy of it would lose keys such as `__proto__`. */
export const AnyProtocol = z
  .custom<{ protocol: number }>(
    (value) =>
      z.core.util.isPlainObject(value) &&
      z
        .number()
        .int()
        .min(1)
        .safeParse((value as { protocol?: unknown }).protocol).success,
  )
  .meta({ type: 'object', properties: { protocol: { type: 'integer', minimum: 1 } }, required: ['protocol'] });

/** Changes when the server's database was put back to an earlier time: versions of two epochs are never compared. */
export const SyncEpoch = z.string().min(1).max(120);

/** Hybrid logical clock: `<13 digits of milliseconds>-<4 hex digits of counter>-<device id>`; sorts as text. */
export const HybridTime = z.string().regex(HYBRID_TIME);
export type HybridTime = z.infer<typeof HybridTime>;

type Fields = Record<string, z.core.util.JSONType>;

/**
 * What JSON can say, by the name of its field. The text that it came from has been parsed by then, and each value meets its field's own
 * schema: to look at each here as well takes as long as the database takes to store it.
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
  /** Counts from 1 a device, without gaps. */
  deviceSeq: z.number().int().min(1),
  table: z.string().min(1).max(MAX_NAME_LENGTH),
  rowId: z.uuid(),
  /** `restore`: the whole row as the device holds it, to a server that has lost it; each field counts as of its own time. */
  op: z.enum(['upsert', 'delete', 'restore']),
  /** Wire values of the fields that changed; empty for a delete. */
  fields: Fields,
  at: HybridTime,
  /** The `syncVersion` of the row as the device had it before the change; 0 for a row that the server has not confirmed. */
  base: z.number().int().min(0),
  /** Of a `restore`: when each field was set. */
  clocks: FieldClocks.optional(),
});
export type Mutation = z.infer<typeof Mutation>;

export const PushRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  /** Null on a device that does not know one yet. */
  epoch: SyncEpoch.nullable(),
  /** The device's clock at this moment: how far it is from the server's is taken off the times of the changes. */
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
  /** The change is in order, and what it would make of the row is larger than the row may be. */
  'limit_exceeded',
] as const;
export type MutationRejection = (typeof MUTATION_REJECTIONS)[number];

/** A field that was left out of a change which was otherwise taken in. */
export const RefusedField = z.strictObject({ field: z.string(), code: z.enum(['unknown_field', 'invalid_value']) });
export type RefusedField = z.infer<typeof RefusedField>;

const Rejected = z.strictObject({
  id: z.uuid(),
  status: z.literal('rejected'),
  code: z.enum(MUTATION_REJECTIONS),
  field: z.string().nullable(),
});

export const MutationOutcome = z.discriminatedUnion('status', [
  /** The server's row is what the device made of it, but for the times and the version that the server sets. */
  z.strictObject({
    id: z.uuid(),
    status: z.literal('applied'),
    /** The time that the change counts as, where it is not the one that the device gave. */
    at: HybridTime.optional(),
  }),
  /** Taken in, but the row became another than the device's: it comes with the answer. */
  z.strictObject({ id: z.uuid(), status: z.literal('merged'), refused: z.array(RefusedField).optional() }),
  z.strictObject({ id: z.uuid(), status: z.literal('duplicate') }),
  Rejected,
]);
export type MutationOutcome = z.infer<typeof MutationOutcome>;

/** Rows of one table as they travel: the names of the fields once, then their wire values in that order, tombstones included. */
export const TableRows = z.strictObject({
  table: z.string().max(MAX_NAME_LENGTH),
  fields: z.array(z.string().max(MAX_NAME_LENGTH)).max(200),
  rows: z.array(z.array(z.unknown())),
});
export type TableRows = z.infer<typeof TableRows>;

const Version = z.number().int().min(0);

export const PushResponse = z.strictObject({
  epoch: SyncEpoch,
  /** A fingerprint of the fields that the server knows: a new one may take what was refused as unknown. */
  schema: z.string().max(64),
  outcomes: z.array(MutationOutcome),
  /** The device's last sequence number that the server holds. */
  lastSeq: Version,
  userVersion: Version,
  /** The learner's version before this push: who stood there has missed nothing, and stands at `userVersion` now. */
  previousVersion: Version,
  /** When the server took the changes in: `updatedAt` of their rows, and `deletedAt` of those that they delete. */
  at: z.iso.datetime(),
  /** The rows whose changes were merged or rejected, as the server holds them. */
  rows: z.array(TableRows),
});
export type PushResponse = z.infer<typeof PushResponse>;

/** How far a device has come. */
export const StreamCursors = z.strictObject({
  catalogue: Version,
  user: Version,
  /** The learner's rows below this version are still to come, newest first; null when none are. */
  older: Version.nullable(),
});
export type StreamCursors = z.infer<typeof StreamCursors>;

export const StreamRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  /** Null on a device that begins again. */
  epoch: SyncEpoch.nullable(),
  cursors: StreamCursors,
  /** The last sequence number of this device that the server has answered: a server that knows less was put back in time. */
  answeredSeq: Version,
});
export type StreamRequest = z.infer<typeof StreamRequest>;

/** One line of the stream. Without an `end` it was cut off, and goes on from the cursors of its last page. */
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

/** Why a device must fetch everything again: deletions that it has not heard of are forgotten, or the server was put back in time. */
export const RESYNC_REASONS = ['purged', 'epoch'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** Says only where the scopes stand; a lost one is harmless. */
export const Poke = z.strictObject({ user: Version, catalogue: Version });
export type Poke = z.infer<typeof Poke>;
