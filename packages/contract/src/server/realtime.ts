/**
 * The realtime session between a device and its server: one WebSocket, `GET /v1/coach/realtime`, opened with the device's bearer token.
 * Each text frame is one JSON message; binary frames are audio, 16-bit little-endian mono PCM at 24 kHz. The device's audio has no header;
 * the coach's audio has a header with the number of its utterance.
 *
 * The device sends `begin` first and receives only failures before `ready`. From then on it sends audio in real time, with silence while
 * the learner is muted, because turn detection needs a continuous signal. After a lost connection, the device sends another `begin` with
 * the same session and the conversation so far.
 */
import { ObjectiveId } from '@parley/domain';
import { z } from 'zod';
import { ErrorData } from '../error-data.ts';
import { isErrorCode, type ErrorCode } from '../errors.ts';
import { heardUtterance, realtimeEvents, RealtimeItemId } from '../realtime-events.ts';
import { ConversationSnapshot } from './coach.ts';

/** `begin` carries the conversation so far; every other frame is at most a second of audio. */
export const MAX_REALTIME_BEGIN_BYTES: number = 2 * 1024 * 1024;
export const MAX_REALTIME_FRAME_BYTES: number = 48 * 1024;

/** A position in the audio that the device has sent on this connection, in milliseconds since its first sample. */
const AudioMs = z.number().min(0);

/** How much of an utterance was heard. `isHeld` means that playback is paused there because the learner made a sound. */
export const PlaybackPosition = z.strictObject({
  itemId: RealtimeItemId,
  audioMs: z.number().int().min(0).max(3_600_000),
  isHeld: z.boolean().optional(),
});
export type PlaybackPosition = z.infer<typeof PlaybackPosition>;

/** Messages from a device to its server. */
export const RealtimeClientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('begin'),
    held: ConversationSnapshot,
    /** IANA name, because the free plan resets at the learner's midnight. */
    timeZone: z.string().max(80),
    /** Whether a conversation on another device ends in favour of this one. */
    takeOver: z.boolean(),
    /** The silence that ends a turn, in milliseconds; null lets the coach decide from what was said. */
    patienceMs: z.number().int().min(200).max(10_000).nullable(),
    /** Whether the coach was on hold on the previous connection, so that it does not start speaking. */
    isMoment: z.boolean(),
  }),
  /**
   * Sent immediately after `bargeIn`, so that the coach knows where it was cut; when playback pauses or resumes; and when it finishes. A
   * client that never sends it is assumed to play each utterance as it arrives.
   */
  PlaybackPosition.extend({ type: z.literal('played') }),
  /** While on, the coach waits and does not listen. */
  z.strictObject({ type: z.literal('giveMeAMoment'), on: z.boolean() }),
  /** The learner ends the session. Speech so far is still transcribed for a few seconds, and `over` follows. */
  z.strictObject({ type: z.literal('end') }),
]);
export type RealtimeClientMessage = z.infer<typeof RealtimeClientMessage>;
export type RealtimeBeginMessage = Extract<RealtimeClientMessage, { type: 'begin' }>;

const KnownErrorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code));

/** Messages from a server to a device. `over` and `failed` are final. */
export const RealtimeServerMessage = z.discriminatedUnion('type', [
  /** `remainingS` as in a lease: null when usage is not metered. */
  z.object({
    type: z.literal('ready'),
    expiresAt: z.iso.datetime(),
    remainingS: z.number().int().min(0).nullable(),
  }),
  /** `line` is the number in the header of this utterance's audio. */
  realtimeEvents.coachStarted.extend({ line: z.number().int().min(1) }),
  realtimeEvents.coachWords,
  /** These and `learnerSaid` arrive in the order of the conversation. */
  heardUtterance.extend({ isGoodbye: z.boolean() }),
  realtimeEvents.learnerStarted.extend({ fromMs: AudioMs }),
  /**
   * A turn of the learner and its position in their audio. `text` is empty when nothing was said, and null when it could not be transcribed
   * or is not transcribed yet; a late transcript arrives in a second message with the same `itemId`. Words of agreement while the coach
   * speaks are not a turn. Adjacent turns may overlap.
   */
  realtimeEvents.learnerSaid.extend({
    itemId: RealtimeItemId,
    text: z.string().nullable(),
    fromMs: AudioMs,
    toMs: AudioMs,
  }),
  /** `words` is a quote from the last `learnerSaid` that proves an objective. */
  z.object({
    type: z.literal('proved'),
    objectiveId: ObjectiveId,
    itemId: RealtimeItemId,
    words: z.string().min(1).max(400),
  }),
  realtimeEvents.bargeIn,
  realtimeEvents.quota,
  realtimeEvents.over,
  z.object({ type: z.literal('failed'), code: KnownErrorCode, data: ErrorData.optional() }),
]);
export type RealtimeServerMessage = z.infer<typeof RealtimeServerMessage>;

const HEADER_BYTES = 4;

/** The frame is the utterance's number (unsigned, little-endian), then the audio. */
export function packCoachAudio(utteranceNumber: number, pcm: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEADER_BYTES + pcm.byteLength);
  new DataView(frame.buffer).setUint32(0, utteranceNumber, true);
  frame.set(pcm, HEADER_BYTES);
  return frame;
}

/** Null for a malformed frame. */
export function unpackCoachAudio(frame: Uint8Array): { utteranceNumber: number; pcm: Uint8Array } | null {
  if (frame.byteLength < HEADER_BYTES || frame.byteLength % 2 !== 0) return null;
  const utteranceNumber = new DataView(frame.buffer, frame.byteOffset).getUint32(0, true);
  return { utteranceNumber, pcm: frame.subarray(HEADER_BYTES) };
}
