/** Recognises and assesses recorded turns: expected replies in a guided session, free speech with a model coach. */
import type { WaitingTurn } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '../../result/index.ts';
import type { CoachClient } from '../../coach/index.ts';
import { readPcm16, type Recording } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { candidateTexts, draftVocabulary } from '../session/guided-coach.ts';
import { assessingTurn, assessTurn, type Recognition, toWaitingTurn, type AssessTurnParts } from './assess-turn.ts';
import { isInterruptedSilence } from './find-waiting-recording.ts';
import { findSceneOrNull, type SceneParts } from '../session/guided-scene.ts';
import type { Session } from '../session/session-rows.ts';
import { createStreamedTurns } from './streamed-turns.ts';
import { hasModelCoach } from '../session/turn-order.ts';

/** A session opens without waiting longer than this for a long recording, a model that is loaded or a slow server. */
const MAX_WAIT_FOR_ASSESSMENT_MS = 1_000;
/** A call that begins waits longer, because it would otherwise transcribe the same recording again. */
const MAX_WAIT_BEFORE_CALL_MS = 8_000;

export interface TurnRecognitionParts extends AssessTurnParts, SceneParts {
  coach: CoachClient;
  store: Store;
}

export interface TurnRecognition {
  /** Returns the expected replies of a guided session; a model coach expects none. */
  expectedTexts(session: Session): string[];
  /**
   * Assesses a turn. Concurrent requests for the same turn share one assessment. `text` is the learner's correction.
   */
  assess(session: Session, recording: Recording, text: string | null): Promise<WaitingTurn>;
  /** Waits until the turn that waits to be sent has been assessed, if that is in progress and does not take long. */
  whenAssessed(sessionId: SessionId): Promise<void>;
  /** Returns the turn that waits to be sent. An interrupted recording is assessed now, or later if that takes long. */
  waitingTurn(session: Session): Promise<WaitingTurn | null>;
  /** Returns the turns that were never sent when the session ended. */
  unsentTurns(session: Session): WaitingTurn[];
  /** Starts streaming the turn if the coach is a model. */
  begin(session: Session, turnId: TurnId): void;
  /** Passes on a stored chunk. */
  pushAudio(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): void;
  /** Stops streaming a turn that is still being spoken; its recording is assessed later. */
  stopStreaming(sessionId: SessionId): void;
  /** Cancels a turn that the learner has discarded. */
  cancel(sessionId: SessionId): void;
  /** Makes the next turn take over the session from another device. */
  takeOver(sessionId: SessionId): void;
}

export function createTurnRecognition(parts: TurnRecognitionParts): TurnRecognition {
  const { coach, recordings, store, logger } = parts;
  const assessments = new Map<string, Promise<WaitingTurn>>();
  const takingOver = new Set<SessionId>();
  const streamedTurns = createStreamedTurns(coach);

  function expectedTexts(session: Session): string[] {
    const scene = hasModelCoach(session) ? null : findSceneOrNull(parts, session);
    return scene === null ? [] : candidateTexts(scene);
  }

  function recognitionOf(session: Session, recording: Recording, candidates: readonly string[]): Recognition {
    if (!hasModelCoach(session)) {
      const scene = findSceneOrNull(parts, session);
      return { type: 'candidates', candidates, vocabulary: scene === null ? [] : draftVocabulary(scene) };
    }
    return {
      type: 'anything',
      transcribe: async () => {
        const transcribed = await streamedTurns.end(recording);
        if (transcribed === 'unwanted') return failed('turn.not_found');
        if (transcribed !== null) {
          takingOver.delete(session.id);
          return ok(transcribed);
        }
        const pcm = await readPcm16(recordings, recording);
        if (!pcm.ok) return pcm;
        return coach.transcribeTurn({ sessionId: session.id, pcm: pcm.value, takeOver: takingOver.delete(session.id) });
      },
    };
  }

  function assessRecording(session: Session, recording: Recording, text: string | null): Promise<WaitingTurn> {
    const key = `${recording.turnId} ${text ?? ''}`;
    const inProgress = assessments.get(key);
    if (inProgress !== undefined) return inProgress;
    const candidates = expectedTexts(session);
    const recognition = recognitionOf(session, recording, candidates);
    const assessment = assessTurn(parts, { recording, recognition, text })
      .then((outcome) => toWaitingTurn(recording, outcome, candidates))
      .finally(() => {
        assessments.delete(key);
        streamedTurns.forget(recording);
      });
    assessments.set(key, assessment);
    return assessment;
  }

  /** Does not wait for a long assessment; the windows reload the session when it is stored. */
  async function assessSoon(session: Session, recording: Recording): Promise<WaitingTurn> {
    const assessment = assessRecording(session, recording, null);
    const soon = await Promise.race([assessment, sleep(MAX_WAIT_FOR_ASSESSMENT_MS, null, { ref: false })]);
    if (soon !== null) return soon;
    assessment
      .then(() => store.transaction(() => store.markChanged('practice_history')))
      // The recording is kept, so it is assessed again when the session is next opened.
      .catch((error: unknown) =>
        logger.error({ err: error, recordingId: recording.recordingId }, 'late_assessment_not_stored'),
      );
    return assessingTurn(recording);
  }

  return {
    expectedTexts,
    assess: assessRecording,
    async whenAssessed(sessionId) {
      const waiting = recordings.waitingRecording(sessionId);
      const inProgress = [...assessments].filter(([key]) => key.startsWith(`${waiting?.turnId} `));
      const settled = Promise.allSettled(inProgress.map(([, assessment]) => assessment));
      await Promise.race([settled, sleep(MAX_WAIT_BEFORE_CALL_MS, null, { ref: false })]);
    },
    async waitingTurn(session) {
      if (session.status !== 'in_progress') return null;
      const recording = recordings.waitingRecording(session.id);
      if (recording === null) return null;
      const heard =
        recording.outcome === null
          ? await assessSoon(session, recording)
          : toWaitingTurn(recording, recording, expectedTexts(session));
      const unusableReason = heard.status === 'unusable' ? heard.reason : null;
      return isInterruptedSilence({ ...recording, unusableReason }) ? null : heard;
    },
    unsentTurns: (session) =>
      recordings.listUnsent(session.id).map((recording) => toWaitingTurn(recording, recording, [])),
    begin(session, turnId) {
      if (hasModelCoach(session))
        streamedTurns.begin({ sessionId: session.id, turnId, takeOver: takingOver.has(session.id) });
    },
    pushAudio: streamedTurns.pushAudio,
    stopStreaming: streamedTurns.stopStreaming,
    cancel: streamedTurns.cancel,
    takeOver: (sessionId) => void takingOver.add(sessionId),
  };
}
