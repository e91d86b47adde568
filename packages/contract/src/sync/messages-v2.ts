/** Protocol 2, used by apps that send a session's conversation in one field and know neither epochs nor field clocks. */
import { LearnerId } from '@parley/domain';
import { z } from 'zod';
import { MAX_MUTATIONS_PER_PUSH } from './limits.ts';
import { Mutation, PushRequest, PushResponse, StreamCursors, StreamRequest, TableRows } from './messages.ts';

export const MutationV2 = Mutation.omit({ base: true, clocks: true }).extend({ op: z.enum(['upsert', 'delete']) });
export type MutationV2 = z.infer<typeof MutationV2>;

export const PushRequestV2 = PushRequest.omit({ epoch: true, now: true }).extend({
  mutations: z.array(MutationV2).max(MAX_MUTATIONS_PER_PUSH),
});
export type PushRequestV2 = z.infer<typeof PushRequestV2>;

export const MUTATION_REJECTIONS_V2 = [
  'not_yours',
  'account_field',
  'unknown_table',
  'unknown_field',
  'invalid_value',
  'read_only',
  'missing_reference',
  'conflict',
] as const;

export const MutationOutcomeV2 = z.discriminatedUnion('status', [
  z.strictObject({ id: z.uuid(), status: z.literal('applied') }),
  z.strictObject({ id: z.uuid(), status: z.literal('merged') }),
  z.strictObject({ id: z.uuid(), status: z.literal('duplicate') }),
  z.strictObject({
    id: z.uuid(),
    status: z.literal('rejected'),
    code: z.enum(MUTATION_REJECTIONS_V2),
    field: z.string().nullable(),
  }),
]);
export type MutationOutcomeV2 = z.infer<typeof MutationOutcomeV2>;

export const PushResponseV2 = z.strictObject({
  outcomes: z.array(MutationOutcomeV2),
  ...PushResponse.omit({ epoch: true, schema: true, outcomes: true }).shape,
});
export type PushResponseV2 = z.infer<typeof PushResponseV2>;

export const StreamRequestV2 = StreamRequest.omit({ epoch: true });
export type StreamRequestV2 = z.infer<typeof StreamRequestV2>;

export const StreamLineV2 = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('page'),
    userId: LearnerId,
    tables: z.array(TableRows),
    next: StreamCursors,
  }),
  z.strictObject({ type: z.literal('end') }),
]);
export type StreamLineV2 = z.infer<typeof StreamLineV2>;

/** Why a device on protocol 2 must fetch everything again. */
export type ResyncReasonV2 = 'purged' | 'lost';
