/**
 * Records a realtime session's audio by turns. The end of a turn is known only when its transcript arrives, when the next turn may have
 * begun. Audio is therefore recorded as it arrives, and each turn is cut from the audio history later.
 */
import { MAX_CHUNK_BYTES } from '@parley/contract';
import { ok, RecordingId, type SessionId, TurnId } from '@parley/domain';
import { type AudioReport, inspectAudio } from '@parley/speech';
import { decodePcm16 } from '@parley/speech/wav';
import { failed, type HostResult } from '../../result/index.ts';
import type { Recordings } from '../../recordings/index.ts';
import { isDiskFullError } from '../../store/index.ts';
import type { AudioHistory } from './audio-history.ts';
import type { AudioRange } from './realtime-state.ts';

export interface RecordedTurn {
  turnId: TurnId;
  recordingId: RecordingId;
}

export interface TurnRecorder {
  /** Begins a recording with the audio since this position, unless one is running. */
  record(fromMs: number): void;
  /** Records audio that was just appended to the audio history. */
  pushAudio(pcm: Uint8Array): void;
  /** Whether the range contains speech. */
  hasSpeech(range: AudioRange): boolean;
  /** How much of the range sounds like speech. */
  speechMs(range: AudioRange): number;
  /** Cuts a turn from the audio history into a recording that waits to be sent. */
  cutTurn(range: AudioRange): HostResult<RecordedTurn>;
  /** Ends the running recording, if there is one, and begins another at this position. */
  restart(fromMs: number | null): void;
  /** Ends the running recording, which contains no speech. */
  discard(): void;
  /** Ends the recording; speech since `fromMs` becomes the waiting turn. */
  close(fromMs: number): void;
}

interface LiveRecording {
  turnId: TurnId;
  seq: number;
  /** On a full disk or after three minutes, the recording stops, what was written stays, and the session continues. */
  isFull: boolean;
}

export function createTurnRecorder({
  recordings,
  sessionId,
  audioHistory,
}: {
  recordings: Recordings;
  sessionId: SessionId;
  audioHistory: AudioHistory;
}): TurnRecorder {
  let live: LiveRecording | null = null;

  /** Closes the running recording, so that it waits to be sent. */
  function closeLive(): HostResult<RecordedTurn> | null {
    if (live === null) return null;
    // If closing fails, the recording is still there for the next attempt.
    const closed = recordings.close(live.turnId, 0);
    live = null;
    if (!closed.ok) return closed;
    const { turnId, recordingId } = closed.value;
    return ok({ turnId: TurnId.parse(turnId), recordingId: RecordingId.parse(recordingId) });
  }

  /** Does the same in mid-session for a turn whose words can be stored without audio. */
  function tryCloseLive(): HostResult<RecordedTurn> | null {
    try {
      return closeLive();
    } catch (error) {
      if (isDiskFullError(error)) return failed('storage.full');
      throw error;
    }
  }

  /** Replaces the running recording. If the disk has no room, the running or the waiting recording stays. */
  function recordAgain(fromMs: number): void {
    const begun = recordings.begin(sessionId, audioHistory.slice(fromMs, audioHistory.endMs));
    if (begun.ok) live = { turnId: begun.value.turnId, seq: 0, isFull: false };
    else if (live === null) live = findWaiting();
  }

  function findWaiting(): LiveRecording | null {
    const waiting = recordings.waitingRecording(sessionId);
    return waiting === null ? null : { turnId: TurnId.parse(waiting.turnId), seq: 0, isFull: true };
  }

  function discard(): void {
    if (live !== null) recordings.discardWaiting(sessionId);
    live = null;
  }

  const inspect = ({ fromMs, toMs }: AudioRange): AudioReport =>
    inspectAudio(decodePcm16(audioHistory.slice(fromMs, toMs)));
  const hasSpeech = (range: AudioRange): boolean => inspect(range).verdict !== 'silent';

  return {
    hasSpeech,
    speechMs: (range) => inspect(range).speechMs,
    discard,
    record(fromMs) {
      if (live === null) recordAgain(fromMs);
    },
    pushAudio(pcm) {
      for (let at = 0; at < pcm.byteLength && live?.isFull === false; at += MAX_CHUNK_BYTES) {
        const { turnId, seq } = live;
        const appended = recordings.append({ turnId, seq, pcm: pcm.subarray(at, at + MAX_CHUNK_BYTES) });
        live = { turnId, seq: seq + 1, isFull: !appended.ok };
      }
    },
    cutTurn({ fromMs, toMs }) {
      const begun = recordings.begin(sessionId, audioHistory.slice(fromMs, toMs));
      // The running recording contains the turn too.
      if (!begun.ok) return tryCloseLive() ?? begun;
      live = { turnId: begun.value.turnId, seq: 0, isFull: true };
      return tryCloseLive() ?? begun;
    },
    restart(fromMs) {
      if (fromMs === null) discard();
      else recordAgain(fromMs);
    },
    close(fromMs) {
      if (live === null) return;
      if (hasSpeech({ fromMs, toMs: audioHistory.endMs })) closeLive();
      else discard();
    },
  };
}
