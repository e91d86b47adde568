/**
 * The sync protocol's messages; `docs/protocol.md` says how they are used. They cannot change without a new protocol version: a test
 * keeps their fingerprint.
 */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';

export const SYNC_PROTOCOL: number = 2;
/** The server accepts the last two versions. */
export const OLDEST_SYNC_PROTOCOL: number = 1;

export const MAX_MUTATIONS_PER_PUSH: number = 500;
export const MAX_PUSH_BYTES: number = 1_048_576;
export const MAX_ROWS_PER_PAGE: number = 1_000;
/** The longest line of a stream: a whole version, which one push made, is never split. */
export const MAX_STREAM_LINE_BYTES: number = 64 * 1_048_576;

/** Hybrid logical clock: `<13 digits of milliseconds>-<4 hex digits of counter>-<device id>`; sorts as text. */
export const HybridTime = z.string().regex(/^\d{13}-[0-9a-f]{4}-[0-9a-f-]{36}$/);
export type HybridTime = z.infer<typeof HybridTime>;

const MAX_NAME_LENGTH = 80;

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
  table: z.string().min(1).max(80),
  rowId: z.uuid(),
  op: z.enum(['upsert', 'delete']),
  /** Wire values of the fields that changed; empty for a delete. */
  fields: Fields,
  at: HybridTime,
});
export type Mutation = z.infer<typeof Mutation>;

export const PushRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
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
] as const;
export type MutationRejection = (typeof MUTATION_REJECTIONS)[number];

const Rejected = z.strictObject({
  id: z.uuid(),
  status: z.literal('rejected'),
  code: z.enum(MUTATION_REJECTIONS),
  field: z.string().nullable(),
});

export const MutationOutcome = z.discriminatedUnion('status', [
  /** The server's row is what the device made of it, but for the times and the version that the server sets. */
  z.strictObject({ id: z.uuid(), status: z.literal('applied') }),
  /** Taken in, but the row became another than the device's: it comes with the answer. */
  z.strictObject({ id: z.uuid(), status: z.literal('merged') }),
  z.strictObject({ id: z.uuid(), status: z.literal('duplicate') }),
  Rejected,
]);
export type MutationOutcome = z.infer<typeof MutationOutcome>;

/** Rows of one table as they travel: the names of the fields once, then their wire values in that order, tombstones included. */
export const TableRows = z.strictObject({
  table: z.string().max(80),
  fields: z.array(z.string().max(80)).max(200),
  rows: z.array(z.array(z.unknown())),
});
export type TableRows = z.infer<typeof TableRows>;

const Version = z.number().int().min(0);

export const PushResponse = z.strictObject({
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
  cursors: StreamCursors,
  /** The last sequence number of this device that the server has answered: a server that knows less was put back in time. */
  answeredSeq: Version,
});
export type StreamRequest = z.infer<typeof StreamRequest>;

/** One line of the stream. Without an `end` it was cut off, and goes on from the cursors of its last page. */
export const StreamLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('page'),
    userId: LearnerId,
    tables: z.array(TableRows),
    next: StreamCursors,
  }),
  z.strictObject({ type: z.literal('end') }),
]);
export type StreamLine = z.infer<typeof StreamLine>;
export type StreamPage = Extract<StreamLine, { type: 'page' }>;

/** Why a device must fetch everything again: deletions it has not heard of are forgotten, or the server lost what it had taken in. */
export const RESYNC_REASONS = ['purged', 'lost'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** Says only where the scopes stand; a lost one is harmless. */
export const Poke = z.strictObject({ user: Version, catalogue: Version });
export type Poke = z.infer<typeof Poke>;
