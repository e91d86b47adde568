/**
 * Copies of a learner's recordings on the server: the learner's choice, the list of copies, and a device's announcement
 * before it sends one. The audio itself goes through two endpoints of `endpoints.ts`; docs/recordings.md explains both.
 */
import { RecordingId, SessionId } from '@parley/domain';
import { z } from 'zod';
import { serverBase as base } from './base.ts';

/** Opus in Ogg. */
export const RECORDING_MEDIA_TYPE = 'audio/ogg';
/** Three minutes at 24 kbit/s are 540 kB; noise needs more. */
export const MAX_RECORDING_BYTES: number = 1_048_576;
/** A turn lasts up to three minutes, and the chunk that crosses the limit is still stored. */
export const MAX_RECORDING_MS: number = 190_000;
/** At most this much is sent in one request. */
export const RECORDING_CHUNK_BYTES: number = 65_536;
export const RECORDINGS_PER_PAGE = 500;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Bytes = z.number().int().min(0);

export const KeptRecording = z.strictObject({
  recordingId: RecordingId,
  sessionId: SessionId,
  sha256: Sha256,
  bytes: Bytes,
});
export type KeptRecording = z.infer<typeof KeptRecording>;

/** The learner's choice for all their devices, and the space that the copies take. */
export const RecordingKeeping = z.strictObject({
  /** False until the learner has agreed, and after they have changed their mind. */
  isOn: z.boolean(),
  usedBytes: Bytes,
  quotaBytes: Bytes,
  /** When the learner chose; null before that. Older servers do not report it. */
  chosenAt: z.iso.datetime().nullable().optional(),
  /** When the learner last had all copies deleted; null if never. Older servers do not report it. */
  copiesDeletedAt: z.iso.datetime().nullable().optional(),
});
export type RecordingKeeping = z.infer<typeof RecordingKeeping>;

/**
 * A choice that the server told this device and has since forgotten, because it was restored. The later choice counts.
 */
export const RememberedChoice = z.strictObject({
  chosenAt: z.iso.datetime(),
  copiesDeletedAt: z.iso.datetime().nullable(),
});
export type RememberedChoice = z.infer<typeof RememberedChoice>;

/**
 * Changes with each deletion, and when the server is restored. A device with a different generation lists everything
 * again.
 */
const Generation = z.uuid();

export const RecordingList = z.strictObject({
  keeping: RecordingKeeping,
  generation: Generation,
  /** Whether the list starts over, because something was deleted or lost since the requested generation. */
  startsOver: z.boolean(),
  recordings: z.array(KeptRecording).max(RECORDINGS_PER_PAGE),
  /** Where the next page begins. */
  next: z.number().int().min(0),
  hasMore: z.boolean(),
});
export type RecordingList = z.infer<typeof RecordingList>;

export const AnnouncedRecording = z.discriminatedUnion('status', [
  /** The server has it, possibly from another device, and then as encoded by that one. */
  z.strictObject({ status: z.literal('kept'), sha256: Sha256, bytes: Bytes }),
  /** The bytes from `offset` on are missing. */
  z.strictObject({ status: z.literal('missing'), offset: Bytes }),
]);
export type AnnouncedRecording = z.infer<typeof AnnouncedRecording>;

/** The response to a chunk. */
export const ReceivedRecording = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('kept') }),
  z.strictObject({ status: z.literal('missing'), offset: Bytes }),
]);
export type ReceivedRecording = z.infer<typeof ReceivedRecording>;

const route = (path: string, summary: string) =>
  base.route({ method: 'POST', path: `/v1/recordings/${path}`, summary });

export const recordingsServerContract = {
  keep: route('keep', 'Begin or stop keeping copies of recordings; stopping can delete all copies')
    .input(
      z.discriminatedUnion('isOn', [
        z.strictObject({ isOn: z.literal(true), remembered: RememberedChoice.optional() }),
        // Copies from before a remembered deletion are deleted again, whatever `deleteAll` says.
        z.strictObject({ isOn: z.literal(false), deleteAll: z.boolean(), remembered: RememberedChoice.optional() }),
      ]),
    )
    .output(RecordingKeeping),
  list: route('list', 'Which copies there are, in the order in which they arrived')
    .input(z.strictObject({ generation: Generation.nullable(), after: z.number().int().min(0) }))
    .output(RecordingList),
  announce: route('announce', 'Say which copy comes next, and learn which of its bytes are missing')
    .input(KeptRecording.extend({ bytes: z.number().int().min(1).max(MAX_RECORDING_BYTES) }))
    .output(AnnouncedRecording),
  verify: route('verify', 'Compare a copy with its hash; a damaged one is deleted, so that it can be sent again')
    .input(z.strictObject({ recordingId: RecordingId }))
    .output(z.strictObject({ isIntact: z.boolean() })),
};
