/**
 * Streams turns to the coach while the learner speaks. The recording is authoritative: a stream that differs from it is
 * discarded.
 */
import type { SessionId, TurnId } from '@parley/domain';
import type { CoachClient, StreamedTurn, TranscribedSpeech } from '../../coach/index.ts';
import type { Recording } from '../../recordings/index.ts';

export interface StreamedTurns {
  /** Starts streaming a turn. A session has one such turn, so the previous one is cancelled. */
  begin(turn: { sessionId: SessionId; turnId: TurnId; takeOver: boolean }): void;
  /** Passes on a stored chunk and ignores one that was sent before. */
  pushAudio(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): void;
  /** Returns the result, or null if the turn was not streamed or the stream differs from the recording. */
  end(recording: Recording): Promise<TranscribedSpeech | 'unwanted' | null>;
  /** Stops streaming a turn that is still being spoken; its recording is assessed later. */
  stopStreaming(sessionId: string): void;
  /** Cancels a turn that the learner has discarded. */
  cancel(sessionId: string): void;
  /** Forgets a turn after its assessment. */
  forget(recording: Recording): void;
}

interface ActiveStream {
  turnId: TurnId;
  turn: StreamedTurn;
  nextSeq: number;
  bytes: number;
  hasEnded: boolean;
  isCancelled: boolean;
}

const BYTES_PER_SAMPLE = 2;

export function createStreamedTurns(coach: Pick<CoachClient, 'streamTurn'>): StreamedTurns {
  const streamsBySession = new Map<string, ActiveStream>();

  function remove(sessionId: string): void {
    streamsBySession.get(sessionId)?.turn.cancel();
    streamsBySession.delete(sessionId);
  }

  function drop(sessionId: string): void {
    const spoken = streamsBySession.get(sessionId);
    if (spoken !== undefined) spoken.isCancelled = true;
    remove(sessionId);
  }

  return {
    begin({ sessionId, turnId, takeOver }) {
      drop(sessionId);
      const turn = coach.streamTurn({ sessionId, takeOver });
      streamsBySession.set(sessionId, { turnId, turn, nextSeq: 0, bytes: 0, hasEnded: false, isCancelled: false });
    },

    pushAudio(turnId, { seq, pcm }) {
      const spoken = [...streamsBySession.values()].find((one) => one.turnId === turnId);
      if (spoken?.nextSeq !== seq) return;
      spoken.nextSeq += 1;
      spoken.bytes += pcm.byteLength;
      spoken.turn.add(pcm);
    },

    async end({ sessionId, turnId, sampleCount }) {
      const spoken = streamsBySession.get(sessionId);
      if (spoken?.turnId !== turnId) return null;
      spoken.hasEnded = true;
      if (spoken.bytes !== sampleCount * BYTES_PER_SAMPLE) spoken.turn.cancel();
      const understood = await spoken.turn.end();
      return spoken.isCancelled ? 'unwanted' : understood;
    },

    stopStreaming(sessionId) {
      if (streamsBySession.get(sessionId)?.hasEnded === false) remove(sessionId);
    },
    cancel: drop,
    forget({ sessionId, turnId }) {
      if (streamsBySession.get(sessionId)?.turnId === turnId) remove(sessionId);
    },
  };
}
