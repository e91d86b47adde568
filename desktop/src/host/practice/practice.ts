/**
 * The practice feature. Every action is stored completely before it returns, so a crash loses nothing that was
 * acknowledged.
 */
import type { PracticeId } from '@parley/domain';
import type { StreamingRecognition } from '../scorer/index.ts';
import type { CompletionParts } from './completion/completion-parts.ts';
import { createSessionCompletion, type SessionCompletion } from './completion/session-completion.ts';
import type { RealtimeSessions } from './realtime/realtime-sessions.ts';
import { type CoachReplies, createCoachReplies } from './session/coach-replies.ts';
import { prepareScene } from './session/guided-scene.ts';
import { createSessionActions, type SessionActions } from './session/session-actions.ts';
import { createShownSessions } from './session/shown-sessions.ts';
import type { StartParts } from './session/start-session.ts';
import type { AssessTurnParts } from './turn/assess-turn.ts';
import { createTurnRecognition } from './turn/recognition.ts';
import { createTurnRecording, type TurnRecording } from './turn/record-turn.ts';
import { createTurnSending, type TurnSending } from './turn/send-turn.ts';

export interface Practice extends SessionActions, TurnRecording, TurnSending, CoachReplies, SessionCompletion {
  /** Prepares the guided coach in the background while the learner reads about a practice. */
  prepare(practiceId: PracticeId): void;
}

export interface PracticeParts extends CompletionParts, StartParts, Pick<AssessTurnParts, 'transcribeHere'> {
  streamingRecognition: StreamingRecognition;
  calls: Pick<RealtimeSessions, 'endSession'>;
}

export function createPractice(given: PracticeParts): Practice {
  const parts = { ...given, recognition: createTurnRecognition(given), shownSessions: createShownSessions() };
  return {
    prepare: (practiceId) => void prepareScene(parts, practiceId),
    ...createSessionActions(parts),
    ...createTurnRecording(parts),
    ...createTurnSending(parts),
    ...createCoachReplies(parts),
    ...createSessionCompletion(parts),
  };
}
