/** The messages between the benchmark and a contestant process, parsed on both sides. */
import { z } from 'zod';
import { WORKLOAD_KINDS } from './workload.ts';

export const ServerCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), dir: z.string() }),
  z.object({ type: z.literal('measure') }),
  z.object({ type: z.literal('stop') }),
]);
export type ServerCommand = z.infer<typeof ServerCommand>;

export const ClientCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), dir: z.string(), url: z.string(), ticket: z.string().nullable() }),
  /** Asks for what another device needs to see the same rows; null when it needs nothing. */
  z.object({ type: z.literal('invite') }),
  z.object({ type: z.literal('pullAll'), expect: z.number().int(), kind: z.enum(WORKLOAD_KINDS) }),
  z.object({
    type: z.literal('push'),
    first: z.number().int(),
    count: z.number().int(),
    kind: z.enum(WORKLOAD_KINDS),
  }),
  z.object({ type: z.literal('change'), id: z.string(), summary: z.string() }),
  /** Resolves when a local query shows this summary and, if requested, it is on disk, or on timeout. */
  z.object({
    type: z.literal('awaitChange'),
    id: z.string(),
    summary: z.string(),
    untilStored: z.boolean(),
    withinMs: z.number(),
  }),
  z.object({ type: z.literal('digest') }),
  z.object({ type: z.literal('measure') }),
  z.object({ type: z.literal('stop') }),
]);
export type ClientCommand = z.infer<typeof ClientCommand>;

export const Started = z.object({ port: z.number().int() });
export const Invited = z.object({ ticket: z.string().nullable() });
/** `cpuSeconds` is user and system time since the process started. */
export const Measured = z.object({ cpuSeconds: z.number() });
/**
 * The duration, measured inside the process. `listedMs` is when the sessions could be listed, which may be before their
 * turns arrived.
 */
export const Timed = z.object({ ms: z.number(), listedMs: z.number() });
/** Milliseconds on a clock that all processes of the machine share. */
export const ChangeMade = z.object({ atMs: z.number() });
/** Null on timeout. */
export const ChangeSeen = z.object({ seenAtMs: z.number(), storedAtMs: z.number().nullable() }).nullable();
export const RowsDigest = z.object({ count: z.number().int(), checksum: z.string() });
export const Empty = z.object({});

export const Request = z.object({ id: z.number().int(), command: z.unknown() });
export const Reply = z.discriminatedUnion('ok', [
  z.object({ id: z.number().int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.number().int(), ok: z.literal(false), error: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;

export const sharedClockMs = (): number => performance.timeOrigin + performance.now();
