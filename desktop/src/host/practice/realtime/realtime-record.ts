/** Stores a realtime session: each turn as soon as it is known, and its score when it is available. */
import type { SessionView } from '@parley/contract';
import {
  type CoachTurn,
  type LearnerTurn,
  type ObjectiveId,
  rescoreFreeSpeech,
  type SessionId,
  TurnId,
} from '@parley/domain';
import type { Logger } from '../../logger.ts';
import { readSamples, type Recordings } from '../../recordings/index.ts';
import type { SpeechScorer } from '../../scorer/index.ts';
import { type Store, updateRow } from '../../store/index.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { findOpenSession } from '../session/open-session.ts';
import { readHintLevel } from '../session/opened-hints.ts';
import { toCoachTurn } from '../session/guided-scene.ts';
import { markDeclined } from '../session/model-coach.ts';
import { findSession, isUntranscribed, type Session, appendTurns, updateTurns } from '../session/session-rows.ts';
import { findPendingScoring, toSessionView } from '../session/session-view.ts';
import type { RecordedTurn } from './turn-recorder.ts';

export interface RealtimeRecordParts {
  store: Store;
  catalogue: Catalogue;
  recordings: Recordings;
  scorer: SpeechScorer;
  logger: Logger;
}

export interface RealtimeRecord {
  /** Returns null when the session is over or was ended by another window or device. */
  session(): Session | null;
  view(): SessionView | null;
  addCoachTurn(text: string, kind: CoachTurn['kind']): void;
  /** `text` is null until the turn is transcribed. `spoken` is null if the disk had no room for the audio. */
  addLearnerTurn(text: string | null, spoken: RecordedTurn | null): TurnId | null;
  /** Adds the words of a turn that had none. */
  setTranscript(turnId: TurnId, text: string): void;
  /** The coach declined to answer the last turn, which is never sent to the coach again. */
  markDeclined(): void;
  addProof(turnId: TurnId, proof: { objectiveId: ObjectiveId; words: string }): void;
  /** Resolves when the turn's score is stored or has been left for the end of the session. */
  score(turnId: TurnId): Promise<void>;
  whenScored(): Promise<void>;
}

export function createRealtimeRecord(parts: RealtimeRecordParts, sessionId: SessionId): RealtimeRecord {
  const { store, recordings, scorer, logger } = parts;
  let scoring: Promise<void> = Promise.resolve();

  const session = (): Session | null => {
    const open = findOpenSession(store, sessionId);
    return open.ok ? open.value : null;
  };
  const updateSession = (change: (session: Session) => void): void =>
    store.transaction(() => {
      const current = session();
      if (current !== null) change(current);
    });

  /**
   * A session that another device has ended still accepts scores, which count towards it as late turns. While this
   * device is scoring the whole session, scores are not accepted here, because scoring assesses its turns anyway.
   */
  const sessionToScore = (): Session | null => {
    const found = findSession(store, sessionId);
    return found.ok && findPendingScoring(store, found.value) === null ? found.value : null;
  };

  async function scoreNow(turnId: TurnId): Promise<void> {
    const turn = sessionToScore()?.entireConversation.find((said) => said.turnId === turnId);
    if (turn?.role !== 'learner' || isUntranscribed(turn) || turn.recordingId === null || turn.assessment !== null)
      return;
    const pcm = await readSamples(recordings, { recordingId: turn.recordingId });
    const assessment = rescoreFreeSpeech(await scorer.assess({ pcm, text: turn.text }));
    store.transaction(() => {
      const current = sessionToScore();
      if (current === null) return;
      const turns = current.entireConversation.map((said) =>
        said.turnId === turnId && said.role === 'learner' && said.assessment === null ? { ...said, assessment } : said,
      );
      updateTurns(store, current, turns);
    });
  }

  return {
    session,
    view() {
      const found = findSession(store, sessionId);
      return found.ok ? toSessionView(parts, found.value, null) : null;
    },
    addCoachTurn: (text, kind) =>
      updateSession((current) => appendTurns(store, current, [toCoachTurn(store, { text, node: null, kind })])),
    addLearnerTurn(text, spoken) {
      const turn: LearnerTurn = {
        role: 'learner',
        turnId: spoken?.turnId ?? TurnId.parse(store.newId()),
        at: store.clock.now().toISOString(),
        text: text ?? '',
        mode: 'voice',
        recordingId: spoken?.recordingId ?? null,
        node: null,
        fitted: true,
        assessment: null,
        hintLevel: 0,
      };
      let isStored = false;
      updateSession((current) => {
        appendTurns(store, current, [{ ...turn, hintLevel: readHintLevel(store, current) }]);
        if (spoken !== null) recordings.markAsSent(spoken.recordingId);
        isStored = true;
      });
      return isStored ? turn.turnId : null;
    },
    setTranscript: (turnId, text) =>
      updateSession((current) => {
        const entireConversation = current.entireConversation.map((said) =>
          said.turnId === turnId && isUntranscribed(said) ? { ...said, text } : said,
        );
        updateTurns(store, current, entireConversation);
      }),
    markDeclined() {
      const current = session();
      if (current !== null) markDeclined(store, current);
    },
    addProof: (turnId, { objectiveId, words }) =>
      updateSession(({ completedObjectives }) => {
        if (completedObjectives.some((done) => done.objectiveId === objectiveId)) return;
        updateRow(store, 'practiceHistory', sessionId, {
          completedObjectives: [...completedObjectives, { objectiveId, words, turnId }],
        });
      }),
    score(turnId) {
      scoring = scoring
        .then(() => scoreNow(turnId))
        .catch((error: unknown) => logger.warn({ err: error, turnId }, 'realtime_turn_scoring_failed'));
      return scoring;
    },
    whenScored: () => scoring,
  };
}
