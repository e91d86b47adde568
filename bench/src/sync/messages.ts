/** What the race says to a process of a contestant, and what it hears back. Parsed at both ends. */
import { z } from 'zod';

export const ServerCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), dir: z.string() }),
  z.object({ type: z.literal('measure') }),
  z.object({ type: z.literal('stop') }),
]);
export type ServerCommand = z.infer<typeof ServerCommand>;

export const ClientCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), dir: z.string(), url: z.string(), ticket: z.string().nullable() }),
  /** What another device needs to see the same rows; null where nothing is needed. */
  z.object({ type: z.literal('invite') }),
  z.object({ type: z.literal('pullAll'), expect: z.number().int() }),
  z.object({ type: z.literal('push'), first: z.number().int(), count: z.number().int() }),
  z.object({ type: z.literal('change'), id: z.string(), summary: z.string() }),
  /** Answered when a local query shows this summary and, if asked, the disk holds it, or the time is over. */
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
/** `cpuSeconds`: user and system, since the process began. */
export const Measured = z.object({ cpuSeconds: z.number() });
/** Work that was timed where it was done. */
export const Timed = z.object({ ms: z.number() });
/** Milliseconds on the clock that all processes of a machine share. */
export const Happened = z.object({ atMs: z.number() });
/** Null: not in the time given. */
export const Seen = z.object({ seenAtMs: z.number(), storedAtMs: z.number().nullable() }).nullable();
export const Digested = z.object({ count: z.number().int(), checksum: z.string() });
export const Nothing = z.object({});

export const Request = z.object({ id: z.number().int(), command: z.unknown() });
export const Reply = z.discriminatedUnion('ok', [
  z.object({ id: z.number().int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.number().int(), ok: z.literal(false), error: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;

export const sharedClockMs = (): number => performance.timeOrigin + performance.now();
