/** The sync protocol's messages. They cannot change without a new protocol version: a test keeps their fingerprint. */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';

export const SYNC_PROTOCOL: number = 1;
/** The server accepts the last two versions. */
export const OLDEST_SYNC_PROTOCOL: number = 1;

export const MAX_MUTATIONS_PER_PUSH: number = 500;
export const MAX_PUSH_BYTES: number = 1_048_576;
export const MAX_ROWS_PER_PAGE: number = 1_000;

/** Hybrid logical clock: `<13 digits of milliseconds>-<4 hex digits of counter>-<device id>`; sorts as text. */
export const HybridTime = z.string().regex(/^\d{13}-[0-9a-f]{4}-[0-9a-f-]{36}$/);
export type HybridTime = z.infer<typeof HybridTime>;

const Fields = z.record(z.string().max(80), z.json());

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

export const MutationOutcome = z.discriminatedUnion('status', [
  z.strictObject({ id: z.uuid(), status: z.literal('applied') }),
  z.strictObject({ id: z.uuid(), status: z.literal('duplicate') }),
  z.strictObject({
    id: z.uuid(),
    status: z.literal('rejected'),
    code: z.enum(MUTATION_REJECTIONS),
    field: z.string().nullable(),
  }),
]);
export type MutationOutcome = z.infer<typeof MutationOutcome>;

export const PushResponse = z.strictObject({
  outcomes: z.array(MutationOutcome),
  /** The device's last sequence number that the server holds. */
  lastSeq: z.number().int().min(0),
  userVersion: z.number().int().min(0),
});
export type PushResponse = z.infer<typeof PushResponse>;

export const Cursors = z.strictObject({ user: z.number().int().min(0), catalogue: z.number().int().min(0) });
export type Cursors = z.infer<typeof Cursors>;

export const PullRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  cursors: Cursors,
  limit: z.number().int().min(1).max(MAX_ROWS_PER_PAGE),
});
export type PullRequest = z.infer<typeof PullRequest>;

/** A row as it travels: all its wire fields, tombstones included (`deletedAt` set). */
export const PulledRow = z.strictObject({ table: z.string(), fields: Fields });
export type PulledRow = z.infer<typeof PulledRow>;

export const PullResponse = z.strictObject({
  rows: z.array(PulledRow),
  next: Cursors,
  more: z.boolean(),
  userId: LearnerId,
});
export type PullResponse = z.infer<typeof PullResponse>;
