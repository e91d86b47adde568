/**
 * Records a realtime session's audio by turns. The end of a turn is known only when its transcript arrives, when the next turn may have
 * begun. Audio is therefore recorded as it arrives, and each turn is cut from the audio history later.
 */
import { MAX_CHUNK_BYTES } from '@parley/contract';
import { ok, type RecordingId, type SessionId, type TurnId } from '@parley/domain';
import { inspectAudio } from '@parley/speech';
import { decodePcm16 } from '@parley/speech/wav';
import type { HostResult } from '../../result/index.ts';
import type { Recordings } from '../../recordings/index.ts';
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
  /** Cuts a turn from the audio history into a recording that waits to be sent. */
  cutTurn(range: AudioRange): HostResult<RecordedTurn>;
  /** Ends the running recording and begins one at this position, if there is one. */
  restart(fromMs: number | null): void;
  /** Ends the running recording, which contains no speech. */
  discard(): void;
  /** Ends the recording; speech since `fromMs` becomes the waiting turn. */
  close(fromMs: number): void;
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
  let liveRecording: { turnId: TurnId; seq: number } | null = null;

  function write(turnId: TurnId, firstSeq: number, pcm: Uint8Array): HostResult<number> {
    let seq = firstSeq;
    for (let at = 0; at < pcm.byteLength; at += MAX_CHUNK_BYTES, seq += 1) {
      const appended = recordings.append({ turnId, seq, pcm: pcm.subarray(at, at + MAX_CHUNK_BYTES) });
      if (!appended.ok) return appended;
    }
    return ok(seq);
  }

  /** On a full disk or after three minutes, the recording stops, what was written stays, and the session continues. */
  function record(fromMs: number): void {
    if (liveRecording !== null) return;
    const opened = recordings.begin(sessionId);
    if (!opened.ok) return;
    const written = write(opened.value.turnId, 0, audioHistory.slice(fromMs, audioHistory.endMs));
    liveRecording = written.ok ? { turnId: opened.value.turnId, seq: written.value } : null;
  }

  function discard(): void {
    if (liveRecording !== null) recordings.discardWaiting(sessionId);
    liveRecording = null;
  }

  const hasSpeech = ({ fromMs, toMs }: AudioRange): boolean =>
    inspectAudio(decodePcm16(audioHistory.slice(fromMs, toMs))).verdict !== 'silent';

  return {
    record,
    hasSpeech,
    discard,
    pushAudio(pcm) {
      if (liveRecording === null) return;
      const written = write(liveRecording.turnId, liveRecording.seq, pcm);
      liveRecording = written.ok ? { ...liveRecording, seq: written.value } : null;
    },
    cutTurn({ fromMs, toMs }) {
      liveRecording = null;
      const opened = recordings.begin(sessionId);
      if (!opened.ok) return opened;
      const written = write(opened.value.turnId, 0, audioHistory.slice(fromMs, toMs));
      if (!written.ok) return written;
      const closed = recordings.close(opened.value.turnId, 0);
      return closed.ok ? opened : closed;
    },
    restart(fromMs) {
      if (fromMs === null) return discard();
      liveRecording = null;
      record(fromMs);
    },
    close(fromMs) {
      if (liveRecording === null) return;
      if (!hasSpeech({ fromMs, toMs: audioHistory.endMs })) return discard();
      recordings.close(liveRecording.turnId, 0);
      liveRecording = null;
    },
  };
}
