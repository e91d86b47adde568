/**
 * The realtime session as the renderer uses it: the renderer plays and records audio, and the host owns the connection and stores the
 * conversation.
 */
import { eventIterator } from '@orpc/contract';
import { SessionId } from '@parley/domain';
import { z } from 'zod';
import { realtimeEvents, RealtimeItemId } from '../../realtime-events.ts';
import { PlaybackPosition } from '../../server/realtime.ts';
import { base } from '../base.ts';
import { AudioChunk, SessionView } from './practice.ts';

const CallId = z.uuid();

export const RealtimeEvent = z.discriminatedUnion('type', [
  /**
   * `isAgain` means that the connection was lost. Speech in the meantime is recorded and sent to the coach afterwards.
   */
  z.object({ type: z.literal('connecting'), isAgain: z.boolean() }),
  /** Both sides may speak. `remainingS` is the remaining time of the plan in seconds; null when usage is not metered. */
  z.object({ type: z.literal('open'), remainingS: z.number().int().min(0).nullable() }),
  realtimeEvents.coachWords,
  /** 16-bit little-endian mono PCM at 24 kHz in base64, to be played as soon as the preceding audio has finished. */
  z.object({ type: z.literal('coachAudio'), itemId: RealtimeItemId, pcm: z.base64() }),
  /** A `session` event follows with the part that was heard. */
  realtimeEvents.coachEnded,
  realtimeEvents.bargeIn,
  realtimeEvents.learnerStarted,
  /** The text is empty when there is no transcript; the coach answers. */
  realtimeEvents.learnerSaid,
  /** A turn, an objective or a score was stored. */
  z.object({ type: z.literal('session'), session: SessionView }),
  realtimeEvents.quota,
  realtimeEvents.over,
]);
export type RealtimeEvent = z.infer<typeof RealtimeEvent>;

const RealtimeInput = z.object({ callId: CallId });

export const realtimeContract = {
  /**
   * Starts a call, which lasts as long as the caller consumes the events. The caller generates `callId`. A session has one call; while
   * another window has it, this fails with `live.other_window`. `takeOver` ends that call, and a call on another device.
   */
  start: base
    .input(
      RealtimeInput.extend({
        sessionId: SessionId,
        takeOver: z.boolean(),
        /** The silence that ends a turn, in milliseconds; null lets the coach decide from what was said. */
        patienceMs: z.number().int().min(200).max(10_000).nullable(),
      }),
    )
    .output(eventIterator(RealtimeEvent)),
  /** The learner's audio in real time, with silence while muted: 16-bit mono PCM at 16 kHz. `seq` starts at 0. */
  sound: base.input(RealtimeInput.extend(AudioChunk.shape)).output(z.void()),
  /** Sent after `bargeIn`, when playback of an utterance pauses or resumes, and when it finishes. */
  played: base.input(RealtimeInput.extend(PlaybackPosition.shape)).output(z.void()),
  /** While on, the coach waits and does not listen. */
  setOnHold: base.input(RealtimeInput.extend({ on: z.boolean() })).output(z.void()),
  end: base.input(RealtimeInput).output(z.void()),
};
