/** The messages between a run and the process of a device, parsed on both sides. */
import { z } from 'zod';
import { LEARNER_KEYS, type LearnerKey } from '../../../desktop/src/host/store/index.ts';

export type EditedKey = LearnerKey;

const Wire = z.record(z.string(), z.json());
export type Wire = z.infer<typeof Wire>;

/** Values in wire format; the device that creates the row adds the learner id. */
export const Edit = z.discriminatedUnion('op', [
  z.object({ op: z.literal('insert'), key: z.enum(LEARNER_KEYS), rowId: z.uuid(), values: Wire }),
  z.object({ op: z.literal('update'), key: z.enum(LEARNER_KEYS), rowId: z.uuid().nullable(), values: Wire }),
  z.object({ op: z.literal('delete'), key: z.enum(LEARNER_KEYS), rowId: z.uuid() }),
  /** Adds an attempt at each word; `lastPracticedAt` is the time of the device. */
  z.object({ op: z.literal('words'), words: z.array(z.string()).min(1), accuracy: z.number() }),
  /** Adds a turn after the last one that the device knows; a spoken turn may still lack its transcript. */
  z.object({ op: z.literal('turn'), rowId: z.uuid(), sessionId: z.uuid(), values: Wire }),
  /** Adds a late transcript or assessment, which never changes afterwards. */
  z.object({ op: z.literal('fill'), rowId: z.uuid(), values: Wire }),
  /** Writes the whole result of a session, or that no score was possible. */
  z.object({ op: z.literal('finish'), sessionId: z.uuid(), values: Wire }),
  z.object({ op: z.literal('objective'), sessionId: z.uuid(), entry: Wire }),
  z.object({ op: z.literal('enrol'), courseId: z.uuid(), enrollmentDate: z.iso.datetime() }),
  z.object({ op: z.literal('leave'), courseId: z.uuid() }),
]);
export type Edit = z.infer<typeof Edit>;

export const Command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    dir: z.string(),
    url: z.url(),
    chanceSeed: z.number(),
    skewMs: z.number(),
  }),
  /** The edit is stamped by a clock that lags by `ageMs`, as on a device that has been offline since. */
  z.object({ type: z.literal('edit'), edit: Edit, ageMs: z.number().min(0) }),
  z.object({ type: z.literal('sync') }),
  z.object({ type: z.literal('skew'), skewMs: z.number() }),
  z.object({ type: z.literal('backUp') }),
  /** The number of further pages to allow; null means no limit. */
  z.object({ type: z.literal('limitDisk'), pages: z.number().nullable() }),
  z.object({ type: z.literal('createLinkCode') }),
  z.object({ type: z.literal('join'), code: z.string() }),
  /** Imports what the closed device in the folder exports. */
  z.object({ type: z.literal('importFrom'), dir: z.string() }),
  z.object({ type: z.literal('close') }),
  /** Runs the whole host on a closed folder, holds a session through its router, and closes it again. */
  z.object({
    type: z.literal('practise'),
    dir: z.string(),
    url: z.url(),
    skewMs: z.number(),
    practiceId: z.string(),
    lines: z.array(z.string()),
  }),
]);
export type Command = z.infer<typeof Command>;

/** A pending change, as the outbox stores it. */
export const OutboxEntry = z.object({
  mutationId: z.string(),
  table: z.string(),
  rowId: z.string(),
  op: z.enum(['upsert', 'delete', 'restore']),
  fields: Wire,
  creates: z.boolean(),
  at: z.string(),
});
export type OutboxEntry = z.infer<typeof OutboxEntry>;

export const Opened = z.object({
  userId: z.string(),
  deviceId: z.string(),
  restoredFromMs: z.number().nullable(),
  outbox: z.array(OutboxEntry),
});
export type Opened = z.infer<typeof Opened>;

export const Edited = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('made'),
    /** Several when a long list of words was split. */
    entries: z.array(OutboxEntry).min(1),
    /** Fields that this edit replaced in changes that were never sent. */
    absorbed: z.array(z.object({ mutationId: z.string(), fields: z.array(z.string()) })),
    waiting: z.array(z.string()),
  }),
  z.object({ outcome: z.literal('unchanged') }),
  z.object({ outcome: z.literal('absent') }),
  /** A constraint refused it: the row already exists, or a row to which it refers does not. */
  z.object({ outcome: z.literal('refused') }),
  z.object({ outcome: z.literal('full') }),
]);
export type Edited = z.infer<typeof Edited>;

export const Synced = z.object({ state: z.string(), waiting: z.array(z.string()) });
export type Synced = z.infer<typeof Synced>;

export const LinkCodeCreated = z.object({ code: z.string().nullable(), failure: z.string().nullable() });
export const Joined = z.object({ failure: z.string().nullable(), opened: Opened });
export const Imported = z.object({ practices: z.number() });
export const Practised = z.object({ sessionId: z.string().nullable(), failure: z.string().nullable() });
export const Empty = z.object({});

export const Request = z.object({ id: z.number().int(), command: Command });
export const Reply = z.discriminatedUnion('ok', [
  z.object({ id: z.number().int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.number().int(), ok: z.literal(false), error: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
