/** Records a spoken turn and recognises it. The turn is not part of the session until it is sent. */
import type { AppendAudioResult, WaitingTurn } from '@parley/contract';
import { ok, type RecordingId, type SessionId, type TurnId } from '@parley/domain';
import type { Logger } from '../../logger.ts';
import type { Recordings } from '../../recordings/index.ts';
import { type HostResult, failed } from '../../result/index.ts';
import type { StreamingRecognition } from '../../scorer/index.ts';
import type { Store } from '../../store/index.ts';
import { deleteSentDraft } from '../session/draft.ts';
import { findOnLearnersTurn, findOpenSession } from '../session/open-session.ts';
import { toWaitingTurn } from './assess-turn.ts';
import { findWaitingRecording, waitsUnseen } from './find-waiting-recording.ts';
import { keepUnsentTurn } from './keep-unsent-turns.ts';
import { createOpenTurns } from './open-turns.ts';
import type { TurnRecognition } from './recognition.ts';

type SessionKey = { sessionId: SessionId };
type TurnKey = SessionKey & { turnId: TurnId };

export interface TurnRecording {
  /** `replaces` is the waiting turn that the window shows. `windowGone` aborts when the window loses its connection. */
  beginTurn(
    at: SessionKey & { replaces?: TurnId | null | undefined },
    windowGone?: AbortSignal,
  ): HostResult<{ turnId: TurnId; recordingId: RecordingId }>;
  appendAudio(chunk: TurnKey & { seq: number; pcm: Blob }): Promise<HostResult<AppendAudioResult>>;
  finishTurn(turn: TurnKey & { hintLevel: number }): Promise<HostResult<WaitingTurn>>;
  reassessTurn(turn: TurnKey): Promise<HostResult<WaitingTurn>>;
  correctTranscript(turn: TurnKey & { text: string }): Promise<HostResult<WaitingTurn>>;
  /** Waits for the assessment of the waiting turn, so that a call that begins sends its words instead of its audio. */
  whenAssessed(sessionId: SessionId): Promise<void>;
}

export interface TurnRecordingParts {
  store: Store;
  recordings: Recordings;
  streamingRecognition: StreamingRecognition;
  recognition: TurnRecognition;
  logger: Logger;
}

export function createTurnRecording(parts: TurnRecordingParts): TurnRecording {
  const { store, recordings, streamingRecognition, recognition } = parts;
  const { assess, expectedTexts } = recognition;
  const openTurns = createOpenTurns({ ...parts, listening: recognition });

  async function reassess({ sessionId, turnId }: TurnKey, text: string | null): Promise<HostResult<WaitingTurn>> {
    const session = findOnLearnersTurn(store, sessionId);
    if (!session.ok) return session;
    const recording = findWaitingRecording(recordings, { sessionId, turnId });
    return recording.ok ? ok(await assess(session.value, recording.value, text)) : recording;
  }

  return {
    beginTurn({ sessionId, replaces }, windowGone) {
      const session = findOnLearnersTurn(store, sessionId);
      if (!session.ok) return session;
      // An unfinished recording is shown to the learner before a new one may replace it.
      if (openTurns.interrupt(sessionId)) return failed('turn.interrupted');
      if (waitsUnseen(recordings, { sessionId, shown: replaces })) return failed('turn.waiting');
      const begun = recordings.begin(sessionId);
      const expected = expectedTexts(session.value);
      if (begun.ok && expected.length > 0) streamingRecognition.begin(begun.value.turnId, expected);
      if (!begun.ok) return begun;
      recognition.begin(session.value, begun.value.turnId);
      openTurns.begin({ sessionId, turnId: begun.value.turnId }, windowGone);
      return begun;
    },

    async appendAudio({ turnId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const appended = recordings.append({ turnId, seq, pcm: bytes });
      if (!appended.ok) return appended;
      recognition.pushAudio(turnId, { seq, pcm: bytes });
      return ok({ ...appended.value, progress: streamingRecognition.pushAudio(turnId, { seq, pcm: bytes }) });
    },

    async finishTurn({ sessionId, turnId, hintLevel }) {
      // Another device may have ended the session in the meantime; what was said is kept even then.
      const recording = recordings.close(turnId, hintLevel);
      openTurns.end({ sessionId, turnId });
      const open = findOpenSession(store, sessionId);
      if (!open.ok) {
        recognition.stopStreaming(sessionId);
        keepUnsentTurn(parts, sessionId);
        return open;
      }
      if (!recording.ok) return recording;
      // Another window may be showing the session without this turn, so it is told to reload.
      store.transaction(() => store.markChanged('practice_history'));
      // If the session was paused mid-turn, the recording is assessed when the session is next opened.
      const session = findOnLearnersTurn(store, sessionId);
      if (!session.ok) return session;
      if (recording.value.outcome === null) return ok(await assess(session.value, recording.value, null));
      return ok(toWaitingTurn(recording.value, recording.value, expectedTexts(session.value)));
    },

    whenAssessed: recognition.whenAssessed,
    reassessTurn: (turn) => reassess(turn, null),
    async correctTranscript({ text, ...turn }) {
      const corrected = await reassess(turn, text.trim());
      // From now on, the text is kept with the recording.
      if (corrected.ok) deleteSentDraft(store, turn.sessionId, text);
      return corrected;
    },
  };
}
