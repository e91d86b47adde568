/** Holding a practice: every act leaves the device's files complete, so that a kill at any moment loses nothing acknowledged. */
import type { AudioAppended, HeardTurn, ResultView, SessionView } from '@parley/contract';
import {
  type CommunicationStyle,
  type LearnerTurn,
  ok,
  type PracticeDifficulty,
  type PracticeId,
  RecordingId,
  SessionId,
  TurnId,
} from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import type { Recording } from '../recordings/index.ts';
import type { LiveFollowing } from '../scorer/index.ts';
import { insertRow, removeRow, updateRow } from '../store/index.ts';
import { type Completion, endConversation, forgetScoring, scoreAndComplete } from './complete-session.ts';
import { countedSeconds, forgetClock, markCounted } from './counted-time.ts';
import { candidateTexts, firstLine, guide, hintsHere } from './guide.ts';
import { hearTurn, toHeardTurn } from './hear-turn.ts';
import { finishWhatIsDue } from './overdue-sessions.ts';
import { coachTurn, findScene, sceneOf } from './scene.ts';
import { findSession, hasEnded, interactionOf, type Session, storeTurnRow, storeTurns } from './session-rows.ts';
import { scoringOf, toResultView, toSessionView } from './session-view.ts';

type InSession = { sessionId: SessionId };
type OfTurn = InSession & { turnId: TurnId };

export interface Practice {
  start(wish: {
    practiceId: PracticeId;
    difficulty: PracticeDifficulty;
    communicationStyle: CommunicationStyle;
  }): Answer<SessionView>;
  session(at: InSession): Promise<Answer<SessionView>>;
  beginTurn(at: InSession): Answer<{ turnId: TurnId; recordingId: RecordingId }>;
  appendAudio(chunk: OfTurn & { seq: number; pcm: Blob }): Promise<Answer<AudioAppended>>;
  finishTurn(turn: OfTurn & { hintLevel: number }): Promise<Answer<HeardTurn>>;
  nameTurn(turn: OfTurn & { text: string }): Promise<Answer<HeardTurn>>;
  sendTurn(turn: OfTurn): Promise<Answer<SessionView>>;
  discardTurn(turn: OfTurn): Promise<Answer<SessionView>>;
  sendTyped(turn: InSession & { text: string; hintLevel: number }): Promise<Answer<SessionView>>;
  hint(at: InSession & { level: number }): Answer<{ hints: string[] }>;
  pause(at: InSession): Promise<Answer<SessionView>>;
  resume(at: InSession): Promise<Answer<SessionView>>;
  finish(at: InSession): Promise<Answer<ResultView>>;
  discard(at: InSession): Answer<void>;
  result(at: InSession): Answer<ResultView>;
  /** Sessions left alone for a week, and scores that are due for another try. */
  finishWhatIsDue(): Promise<void>;
}

export interface PracticeParts extends Completion {
  following: LiveFollowing;
}

const UNSCORED = {
  feedback: null,
  score: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  duration: 0,
  status: 'in_progress',
  summary: null,
  pausedAt: null,
} as const;

/** Starts a practice on the rows of `completion.store`. */
export function createPractice(completion: PracticeParts): Practice {
  const { store, catalogue, recordings, following } = completion;
  const hearings = new Map<string, Promise<HeardTurn>>();
  const completions = new Map<string, Promise<void>>();

  /** A session in which the learner may still speak. */
  function findOpen(sessionId: SessionId): Answer<Session> {
    const session = findSession(store, sessionId);
    if (!session.ok) return session;
    if (session.value.status !== 'in_progress') return failed('session.already_completed');
    if (scoringOf(store, session.value) !== null || hasEnded(session.value)) return failed('session.ended');
    return session;
  }

  /** The same, and it is the learner's turn right now. */
  function findRunning(sessionId: SessionId): Answer<Session> {
    const session = findOpen(sessionId);
    return session.ok && session.value.pausedAt !== null ? failed('turn.not_ready', { detail: 'paused' }) : session;
  }

  function findWaiting(sessionId: SessionId, turnId: TurnId): Answer<Recording> {
    const waiting = recordings.waiting(sessionId);
    return waiting === null || waiting.turnId !== turnId ? failed('turn.not_found') : ok(waiting);
  }

  /** Listens once, however often it is asked to while it does. */
  function hear(session: Session, recording: Recording, text: string | null): Promise<HeardTurn> {
    const key = `${recording.turnId} ${text ?? ''}`;
    const underWay = hearings.get(key);
    if (underWay !== undefined) return underWay;
    const scene = sceneOf(catalogue, session);
    const candidates = scene === null ? [] : candidateTexts(scene);
    const hearing = hearTurn(completion, { recording, candidates, text })
      .then((outcome) => toHeardTurn(recording, outcome, candidates))
      .finally(() => hearings.delete(key));
    hearings.set(key, hearing);
    return hearing;
  }

  /** What waits to be sent; a recording that a crash cut off is listened to now. */
  async function waitingTurn(session: Session): Promise<HeardTurn | null> {
    if (session.status !== 'in_progress') return null;
    const recording = recordings.waiting(session.id);
    if (recording === null) return null;
    if (recording.outcome === null) return hear(session, recording, null);
    const scene = sceneOf(catalogue, session);
    return toHeardTurn(recording, recording, scene === null ? [] : candidateTexts(scene));
  }

  async function view(sessionId: SessionId): Promise<Answer<SessionView>> {
    const found = findSession(store, sessionId);
    if (!found.ok) return found;
    const waiting = await waitingTurn(found.value);
    // Listening takes a moment in which the session may have moved on.
    const session = findSession(store, sessionId);
    return session.ok ? ok(toSessionView(completion, session.value, waiting)) : session;
  }

  /** The learner's turn, its row, the objectives that it proves and the coach's answer: all of it or nothing. */
  function commitTurn(
    session: Session,
    said: Pick<LearnerTurn, 'turnId' | 'text' | 'mode' | 'recordingId' | 'assessment' | 'hintLevel'>,
  ): Answer<void> {
    const scene = findScene(catalogue, session);
    if (!scene.ok) return scene;
    const guided = guide(scene.value, said);
    const at = store.clock.now().toISOString();
    const learnerTurn: LearnerTurn = { ...said, ...guided.learner, role: 'learner', at };
    const proved = guided.proved.map((objective) => ({ ...objective, turnId: said.turnId }));
    storeTurns(store, session, [learnerTurn, coachTurn(store, guided.line)], {
      completedObjectives: [...session.completedObjectives, ...proved],
    });
    return ok(undefined);
  }

  /** Runs the completion of a session once at a time. */
  function completeOnce(session: Session): Promise<void> {
    const underWay = completions.get(session.id);
    if (underWay !== undefined) return underWay;
    endConversation(completion, session);
    const current = findSession(store, session.id);
    if (!current.ok) return Promise.resolve();
    const completing = scoreAndComplete(completion, current.value).finally(() => completions.delete(session.id));
    completions.set(session.id, completing);
    return completing;
  }

  function result({ sessionId }: InSession): Answer<ResultView> {
    const session = findSession(store, sessionId);
    return session.ok ? ok(toResultView(completion, session.value)) : session;
  }

  return {
    start({ practiceId, difficulty, communicationStyle }) {
      const practice = catalogue.practice(practiceId);
      if (practice === null || practice.deletedAt !== null || practice.availability !== 'ready')
        return failed('practice.not_found');
      if (practice.dialogue === null) return failed('practice.no_dialogue');
      const session = {
        id: SessionId.parse(store.newId()),
        practiceId,
        userId: store.identity().userId,
        agentId: practice.agentId,
        difficulty,
        communicationStyle,
      };
      const scene = findScene(catalogue, { ...session, entireConversation: [], completedObjectives: [] });
      if (!scene.ok) return scene;
      const opening = coachTurn(store, firstLine(scene.value));
      store.transaction(() => {
        insertRow(store, 'practiceHistory', {
          ...session,
          ...UNSCORED,
          entireConversation: [opening],
          completedObjectives: [],
        });
        storeTurnRow(store, { interactionId: interactionOf(store, session), session, turn: opening });
      });
      const started = findSession(store, session.id);
      return started.ok ? ok(toSessionView(completion, started.value, null)) : started;
    },

    session: ({ sessionId }) => view(sessionId),

    beginTurn({ sessionId }) {
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      const begun = recordings.begin(sessionId);
      const scene = sceneOf(catalogue, session.value);
      if (begun.ok && scene !== null) following.begin(begun.value.turnId, candidateTexts(scene));
      return begun;
    },

    async appendAudio({ turnId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const appended = recordings.append({ turnId, seq, pcm: bytes });
      return appended.ok ? ok({ ...appended.value, following: following.hear(turnId, { seq, pcm: bytes }) }) : appended;
    },

    async finishTurn({ sessionId, turnId, hintLevel }) {
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      following.end(turnId);
      const recording = recordings.close(turnId, hintLevel);
      if (!recording.ok) return recording;
      if (recording.value.outcome === null) return ok(await hear(session.value, recording.value, null));
      const scene = sceneOf(catalogue, session.value);
      return ok(toHeardTurn(recording.value, recording.value, scene === null ? [] : candidateTexts(scene)));
    },

    async nameTurn({ sessionId, turnId, text }) {
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      const recording = findWaiting(sessionId, turnId);
      return recording.ok ? ok(await hear(session.value, recording.value, text.trim())) : recording;
    },

    async sendTurn({ sessionId, turnId }) {
      const sent = store.transaction((): Answer<void> => {
        const session = findRunning(sessionId);
        if (!session.ok) return session;
        const recording = findWaiting(sessionId, turnId);
        if (!recording.ok) return recording;
        const { outcome, text, assessment, hintLevel, recordingId } = recording.value;
        // What was named but could not be scored goes to the coach as well; its score is had at the end.
        if (text === null || (outcome !== 'heard' && outcome !== 'not_scored')) return failed('turn.not_ready');
        const committed = commitTurn(session.value, {
          turnId,
          text,
          mode: 'voice',
          recordingId: RecordingId.parse(recordingId),
          assessment,
          hintLevel,
        });
        if (committed.ok) recordings.markSent(recordingId);
        return committed;
      });
      return sent.ok ? view(sessionId) : sent;
    },

    async discardTurn({ sessionId, turnId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (!recordings.isOf(sessionId, turnId)) return failed('turn.not_found');
      recordings.setAside(sessionId);
      return view(sessionId);
    },

    async sendTyped({ sessionId, text, hintLevel }) {
      const sent = store.transaction((): Answer<void> => {
        const session = findRunning(sessionId);
        if (!session.ok) return session;
        const waiting = recordings.waiting(sessionId);
        // Speech that could not be scored is kept with the words that the learner typed for it.
        const spoken = waiting?.outcome === 'not_scored' ? waiting : null;
        const committed = commitTurn(session.value, {
          turnId: TurnId.parse(spoken?.turnId ?? store.newId()),
          text,
          mode: spoken === null ? 'typed' : 'voice',
          recordingId: spoken === null ? null : RecordingId.parse(spoken.recordingId),
          assessment: null,
          hintLevel,
        });
        if (!committed.ok) return committed;
        if (spoken !== null) recordings.markSent(spoken.recordingId);
        recordings.setAside(sessionId);
        return committed;
      });
      return sent.ok ? view(sessionId) : sent;
    },

    hint({ sessionId, level }) {
      const session = findOpen(sessionId);
      if (!session.ok) return session;
      const scene = findScene(catalogue, session.value);
      return scene.ok ? ok({ hints: hintsHere(scene.value, level) }) : scene;
    },

    async pause({ sessionId }) {
      const session = findOpen(sessionId);
      if (!session.ok) return session;
      if (session.value.pausedAt === null)
        store.transaction(() => {
          const duration = countedSeconds(store, session.value);
          updateRow(store, 'practiceHistory', sessionId, { pausedAt: store.clock.now(), duration });
          markCounted(store, sessionId);
        });
      return view(sessionId);
    },

    async resume({ sessionId }) {
      const session = findOpen(sessionId);
      if (!session.ok) return session;
      if (session.value.pausedAt !== null)
        store.transaction(() => {
          updateRow(store, 'practiceHistory', sessionId, { pausedAt: null });
          markCounted(store, sessionId);
        });
      return view(sessionId);
    },

    async finish({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      // Asked again, a finished session answers as it did: the first answer may have been lost on its way.
      if (session.value.status !== 'completed') await completeOnce(session.value);
      return result({ sessionId });
    },

    discard({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (session.value.status === 'completed') return failed('session.already_completed');
      store.transaction(() => {
        removeRow(store, 'practiceHistory', sessionId);
        forgetClock(store, sessionId);
        forgetScoring(completion, sessionId);
      });
      recordings.remove(sessionId, ['recording', 'waiting', 'sent', 'set_aside']);
      return ok(undefined);
    },

    result,

    finishWhatIsDue: () => finishWhatIsDue(completion, completeOnce),
  };
}
