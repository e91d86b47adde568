/**
 * The messages of a first sync that leaves out the turns of sessions, and of the call that fetches them session by
 * session. They extend protocol 3 without changing its messages: a server that does not know them sends everything. A
 * test keeps their fingerprint.
 */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { MAX_SESSIONS_PER_TURNS_REQUEST } from './limits.ts';
import { StreamLine, SyncEpoch, TableRows } from './messages.ts';

/** Asks the stream to leave out the turns of sessions when it goes back to older rows. */
export const TURNS_LATER: { name: string; value: string } = { name: 'turns', value: 'later' };

const [Page, End] = StreamLine.options;

/** A session on a page with the turns that the server has of it, so that a device can tell whether it has them all. */
export const SessionTurns = z.strictObject({
  sessionId: z.uuid(),
  count: z.number().int().min(1),
  /** The sum of their `syncVersion`s. */
  versions: z.number().int().min(0),
});
export type SessionTurns = z.infer<typeof SessionTurns>;

export const TurnsLaterLine = z.discriminatedUnion('type', [
  /** Without `turns`, the page leaves nothing out. */
  Page.extend({ turns: z.array(SessionTurns).optional() }),
  End,
]);
export type TurnsLaterLine = z.infer<typeof TurnsLaterLine>;
export type TurnsLaterPage = Extract<TurnsLaterLine, { type: 'page' }>;

export const TurnsRequest = z.strictObject({
  protocol: z.number().int().min(1),
  deviceId: DeviceId,
  epoch: SyncEpoch.nullable(),
  /** The server answers in this order. */
  sessionIds: z.array(z.uuid()).min(1).max(MAX_SESSIONS_PER_TURNS_REQUEST),
});
export type TurnsRequest = z.infer<typeof TurnsRequest>;

/**
 * One line of the response. A response without `end` was cut off; the sessions whose last line arrived are complete.
 */
export const TurnsLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('turns'),
    epoch: SyncEpoch,
    userId: LearnerId,
    sessionId: z.uuid(),
    tables: z.array(TableRows),
    isLast: z.boolean(),
  }),
  End,
]);
export type TurnsLine = z.infer<typeof TurnsLine>;
