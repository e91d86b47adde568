/** What protocol 1 says otherwise: pages that are asked for one by one, and answers to a push without rows. */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { MAX_MUTATIONS_PER_PUSH, MAX_ROWS_PER_PAGE, Mutation, MutationOutcome, PushRequest } from './messages.ts';

const Fields = z.record(z.string().max(80), z.json());

export const PushRequestV1 = PushRequest.extend({
  mutations: z.array(Mutation.extend({ fields: Fields })).max(MAX_MUTATIONS_PER_PUSH),
});

const [Applied, , Duplicate, Rejected] = MutationOutcome.options;

export const PushResponseV1 = z.strictObject({
  outcomes: z.array(z.discriminatedUnion('status', [Applied, Duplicate, Rejected])),
  lastSeq: z.number().int().min(0),
  userVersion: z.number().int().min(0),
});
export type PushResponseV1 = z.infer<typeof PushResponseV1>;

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
