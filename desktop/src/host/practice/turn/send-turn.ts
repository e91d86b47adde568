/** Sends a spoken or typed turn: it becomes part of the session, and the coach may answer it. */
import type { SessionView } from '@parley/contract';
import { RecordingId, type SessionId, TurnId } from '@parley/domain';
import type { Recordings } from '../../recordings/index.ts';
import { type HostResult, failed } from '../../result/index.ts';
import { prepareAnswer, type SceneParts } from '../session/guided-scene.ts';
import { findOnLearnersTurn } from '../session/open-session.ts';
import { showSession, type ShowSessionParts } from '../session/show-session.ts';
import { hasModelCoach } from '../session/turn-order.ts';
import { commitTurn, toSaidTurn } from './commit-turn.ts';
import { findWaitingRecording, waitsUnseen } from './find-waiting-recording.ts';

type SessionKey = { sessionId: SessionId };

export interface TurnSending {
  sendTurn(turn: SessionKey & { turnId: TurnId }): Promise<HostResult<SessionView>>;
  /** `replaces` is the waiting turn that the window shows; another one is not discarded. */
  sendTyped(
    turn: SessionKey & { text: string; hintLevel: number; replaces?: TurnId | null | undefined },
  ): Promise<HostResult<SessionView>>;
}

export interface TurnSendingParts extends ShowSessionParts, SceneParts {
  recordings: Recordings;
}

export function createTurnSending(parts: TurnSendingParts): TurnSending {
  const { store, recordings, recognition } = parts;

  /** Waits for what a guided coach needs to understand the next answer. */
  async function prepareCoach(sessionId: SessionId): Promise<void> {
    const session = findOnLearnersTurn(store, sessionId);
    if (!session.ok || hasModelCoach(session.value)) return;
    await prepareAnswer(parts, session.value);
  }

  return {
    async sendTurn({ sessionId, turnId }) {
      await prepareCoach(sessionId);
      const sent = store.transaction((): HostResult<void> => {
        const session = findOnLearnersTurn(store, sessionId);
        if (!session.ok) return session;
        const recording = findWaitingRecording(recordings, { sessionId, turnId });
        if (!recording.ok) return recording;
        const said = toSaidTurn(recording.value);
        if (said === null) return failed('turn.not_ready');
        const committed = commitTurn(parts, session.value, said);
        if (committed.ok) recordings.markAsSent(recording.value.recordingId);
        return committed;
      });
      return sent.ok ? showSession(parts, sessionId) : sent;
    },

    async sendTyped({ sessionId, text, hintLevel, replaces }) {
      await prepareCoach(sessionId);
      const sent = store.transaction((): HostResult<void> => {
        const session = findOnLearnersTurn(store, sessionId);
        if (!session.ok) return session;
        if (waitsUnseen(recordings, { sessionId, shown: replaces })) return failed('turn.waiting');
        const waiting = recordings.waitingRecording(sessionId);
        // If the learner types the text of a recording that could not be assessed, both are kept as one turn.
        const belongsToRecording = waiting?.outcome === 'not_scored' && (waiting.text ?? text) === text;
        const spoken = belongsToRecording ? waiting : null;
        const committed = commitTurn(parts, session.value, {
          turnId: TurnId.parse(spoken?.turnId ?? store.newId()),
          text,
          mode: spoken === null ? 'typed' : 'voice',
          recordingId: spoken === null ? null : RecordingId.parse(spoken.recordingId),
          assessment: null,
          hintLevel,
        });
        if (!committed.ok) return committed;
        if (spoken !== null) recordings.markAsSent(spoken.recordingId);
        recordings.discardWaiting(sessionId);
        return committed;
      });
      if (sent.ok) recognition.cancel(sessionId);
      return sent.ok ? showSession(parts, sessionId) : sent;
    },
  };
}
