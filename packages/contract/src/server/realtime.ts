/**
 * The ultra-realistic conversation between a device and its server: one WebSocket, `GET /v1/coach/realtime`, opened with the device's bearer
 * token. Text frames are one JSON message each; binary frames are sound, 16-bit little-endian mono PCM at 24 kHz. A device's sound is bare; the
 * coach's has a header that names its line. The device sends `begin` first, and hears of nothing but a failure before `ready`. From then on it
 * sends sound as time goes by, silence where the learner is muted: without it, no sentence would ever be over. A line that broke is taken up
 * again by another `begin` with the same session and what was said by then.
 */
import { ObjectiveId } from '@parley/domain';
import { z } from 'zod';
import { ErrorData, isErrorCode, type ErrorCode } from '../errors.ts';
import { HeldConversation } from './coach.ts';

export const REALTIME_PATH = '/v1/coach/realtime';
export const REALTIME_SAMPLE_RATE_HZ = 24_000;
export const REALTIME_BYTES_A_MS: number = (REALTIME_SAMPLE_RATE_HZ * 2) / 1_000;

/** `begin` carries what was said before; every other frame is at most a second of sound. */
export const MAX_REALTIME_BEGIN_BYTES: number = 2 * 1024 * 1024;
export const MAX_REALTIME_FRAME_BYTES: number = 48 * 1024;

const ItemId = z.string().min(1).max(200);
/** A place in the sound that the device has sent on this line: ms since its first sample. */
const SoundMs = z.number().min(0);

/** How much of a line was heard. `isHeld`: it is silent there, because the learner made a sound, until more is told. */
export const LineHeard = z.strictObject({
  itemId: ItemId,
  audioMs: z.number().int().min(0).max(3_600_000),
  isHeld: z.boolean().optional(),
});
export type LineHeard = z.infer<typeof LineHeard>;

/** From a device to its server. */
export const RealtimeUp = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('begin'),
    held: HeldConversation,
    /** IANA name: a free plan begins anew at the learner's midnight. */
    timeZone: z.string().max(80),
    /** Whether a conversation on another device ends for this one. */
    takeOver: z.boolean(),
    /** The silence that ends a turn; null where the coach feels it by what was said. */
    patienceMs: z.number().int().min(200).max(10_000).nullable(),
    /** Whether the learner has asked for a moment, on the line before this one: the coach does not begin. */
    isMoment: z.boolean(),
  }),
  /**
   * At once after `bargeIn`, so that the coach knows where it was cut; when a line is held, and when it goes on; and when it has been played
   * to its end. Who does not say so is taken to play each line as soon as it comes.
   */
  LineHeard.extend({ type: z.literal('played') }),
  /** On: the coach waits, and hears nothing. */
  z.strictObject({ type: z.literal('giveMeAMoment'), on: z.boolean() }),
  /** The learner has enough. What they said until now is still written down, for a few seconds; then comes `over`. */
  z.strictObject({ type: z.literal('end') }),
]);
export type RealtimeUp = z.infer<typeof RealtimeUp>;
export type RealtimeBegin = Extract<RealtimeUp, { type: 'begin' }>;

/**
 * `ended`: the learner wished so. `goodbye`: the coach said it, and may. `quota`: the plan's time is used up. `limit`: no conversation is longer
 * at a stretch; another may follow. `idle`: nobody spoke for minutes.
 */
export const REALTIME_ENDS = ['ended', 'goodbye', 'quota', 'limit', 'idle'] as const;
export type RealtimeEnd = (typeof REALTIME_ENDS)[number];

const KnownErrorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code));

/** From a server to a device. `over` and `failed` are the last of all. */
export const RealtimeDown = z.discriminatedUnion('type', [
  /** `remainingS` as of a lease: null where nothing is counted. */
  z.object({
    type: z.literal('ready'),
    expiresAt: z.iso.datetime(),
    remainingS: z.number().int().min(0).nullable(),
  }),
  /** `line` is the number in the header of this line's sound. */
  z.object({ type: z.literal('coachStarted'), itemId: ItemId, line: z.number().int().min(1) }),
  /** Captions, piece by piece, ahead of the sound. */
  z.object({ type: z.literal('coachWords'), itemId: ItemId, text: z.string() }),
  /**
   * When the line was heard, or cut: `text` is what was heard of it, empty where it was cut before its first word. These and `learnerSaid` come
   * in the order of the conversation.
   */
  z.object({
    type: z.literal('coachEnded'),
    itemId: ItemId,
    text: z.string(),
    wasCut: z.boolean(),
    isGoodbye: z.boolean(),
  }),
  z.object({ type: z.literal('learnerStarted'), fromMs: SoundMs }),
  /**
   * A turn of the learner's, and where it stands in their sound. `text` is empty where nothing was said in it, and null where nobody can tell,
   * or not yet: words that come late are told by another with the same item. Words of agreement while the coach speaks are no turn. Of two turns
   * that run into each other, one may begin before the other ends.
   */
  z.object({
    type: z.literal('learnerSaid'),
    itemId: ItemId,
    text: z.string().nullable(),
    fromMs: SoundMs,
    toMs: SoundMs,
  }),
  /** Words of the last `learnerSaid` that prove an objective. */
  z.object({ type: z.literal('proved'), objectiveId: ObjectiveId, itemId: ItemId, words: z.string().min(1).max(400) }),
  /** Stop playing this line now, and say by `played` how far it came. No more of its sound follows. */
  z.object({ type: z.literal('bargeIn'), itemId: ItemId }),
  /** With five minutes left, with one, and with none, when only the goodbye is still to come. */
  z.object({ type: z.literal('quota'), remainingS: z.number().int().min(0) }),
  z.object({ type: z.literal('over'), reason: z.enum(REALTIME_ENDS) }),
  z.object({ type: z.literal('failed'), code: KnownErrorCode, data: ErrorData.optional() }),
]);
export type RealtimeDown = z.infer<typeof RealtimeDown>;

const HEADER_BYTES = 4;

/** The line's number, unsigned and little-endian, then the sound. */
export function packCoachAudio(line: number, pcm: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEADER_BYTES + pcm.byteLength);
  new DataView(frame.buffer).setUint32(0, line, true);
  frame.set(pcm, HEADER_BYTES);
  return frame;
}

/** Null for a frame that is none. */
export function unpackCoachAudio(frame: Uint8Array): { line: number; pcm: Uint8Array } | null {
  if (frame.byteLength < HEADER_BYTES || frame.byteLength % 2 !== 0) return null;
  const line = new DataView(frame.buffer, frame.byteOffset).getUint32(0, true);
  return { line, pcm: frame.subarray(HEADER_BYTES) };
}
