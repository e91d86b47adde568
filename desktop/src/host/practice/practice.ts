/** Holding a practice: every act leaves the device's files complete, so that a kill at any moment loses nothing acknowledged. */
import {
  type AudioAppended,
  type CoachSpeaking,
  type HeardTurn,
  type ResultView,
  type SessionView,
} from '@parley/contract';
import { ok, RecordingId, type SessionId, TurnId } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import { CoachFailed } from '../coach/index.ts';
import type { Recording } from '../recordings/index.ts';
import type { LiveFollowing } from '../scorer/index.ts';
import { RECORDING_STATES, removeRow } from '../store/index.ts';
import type { Calls } from './call/calls.ts';
import { commitTurn } from './commit-turn.ts';
import {
  type Completion,
  endConversation,
  forgetScoring,
  reviewDue,
  reviewLate,
  scoreAndComplete,
  writeDownRest,
} from './complete-session.ts';
import { forgetClock } from './counted-time.ts';
import { forgetDraft, keepDraft, readDraft } from './draft.ts';
import { hintsHere } from './guide.ts';
import { toHeardTurn } from './hear-turn.ts';
import { createListening } from './listening.ts';
import { hearCoach, heldOf } from './live.ts';
import { createOneWindow } from './one-window.ts';
import { createOpenTurns } from './open-turns.ts';
import { forgetHints, keepHintLevel } from './opened-hints.ts';
import { findOpen, pauseSession, resumeSession } from './open-session.ts';
import { finishWhatIsDue } from './overdue-sessions.ts';
import { findScene } from './scene.ts';
import { findSession, type Session } from './session-rows.ts';
import { reviewOf, toResultView, toSessionView } from './session-view.ts';
import { type PracticeWish, type StartParts, startSession } from './start-session.ts';
import { isCoachsTurn, isLive } from './whose-turn.ts';

type InSession = { sessionId: SessionId };
type OfTurn = InSession & { turnId: TurnId };

export interface Practice {
  start(wish: PracticeWish): Promise<Answer<SessionView>>;
  session(at: InSession): Promise<Answer<SessionView>>;
  /** `windowGone` aborts when the window that records loses its connection. */
  beginTurn(at: InSession, windowGone?: AbortSignal): Answer<{ turnId: TurnId; recordingId: RecordingId }>;
  appendAudio(chunk: OfTurn & { seq: number; pcm: Blob }): Promise<Answer<AudioAppended>>;
  finishTurn(turn: OfTurn & { hintLevel: number }): Promise<Answer<HeardTurn>>;
  hearAgain(turn: OfTurn): Promise<Answer<HeardTurn>>;
  hearUnsent(turn: OfTurn): Promise<Answer<ResultView>>;
  nameTurn(turn: OfTurn & { text: string }): Promise<Answer<HeardTurn>>;
  sendTurn(turn: OfTurn): Promise<Answer<SessionView>>;
  sendTyped(turn: InSession & { text: string; hintLevel: number }): Promise<Answer<SessionView>>;
  draft(at: InSession): Answer<{ text: string }>;
  keepDraft(typed: InSession & { text: string }): Answer<void>;
  /** Throws a `CoachFailed`; what was said until then is kept. */
  hearCoach(at: InSession & { takeOver: boolean }, signal: AbortSignal): AsyncGenerator<CoachSpeaking, void>;
  takeOver(at: InSession): Promise<Answer<void>>;
  hint(at: InSession & { level: number }): Promise<Answer<{ hints: string[] }>>;
  pause(at: InSession): Promise<Answer<SessionView>>;
  resume(at: InSession): Promise<Answer<SessionView>>;
  finish(at: InSession): Promise<Answer<ResultView>>;
  discard(at: InSession): Answer<void>;
  result(at: InSession): Answer<ResultView>;
  /** Tries again what nobody could write down when the session ended. */
  writeDown(at: InSession): Promise<Answer<ResultView>>;
  /** Sessions left alone for a week, and scores and reviews that are due for another try. */
  finishWhatIsDue(): Promise<void>;
}

export interface PracticeParts extends Completion, StartParts {
  following: LiveFollowing;
  calls: Pick<Calls, 'endOf'>;
}

/** Starts a practice on the rows of `completion.store`. */
export function createPractice(completion: PracticeParts): Practice {
  const { store, catalogue, recordings, following, coach, calls } = completion;
  const listening = createListening(completion);
  const { hear, expectedTexts } = listening;
  const openTurns = createOpenTurns({ ...completion, listening });
  const oneWindow = createOneWindow();
  const completions = new Map<string, Promise<Answer<void>>>();

  /** Open, and it is the learner’s turn right now. */
  function findRunning(sessionId: SessionId): Answer<Session> {
    const session = findOpen(store, sessionId);
    if (!session.ok) return session;
    if (session.value.pausedAt !== null) return failed('turn.not_ready', { detail: 'paused' });
    return isCoachsTurn(session.value) ? failed('turn.not_ready', { detail: 'coach' }) : session;
  }

  function findWaiting(sessionId: SessionId, turnId: TurnId): Answer<Recording> {
    const waiting = recordings.waiting(sessionId);
    return waiting === null || waiting.turnId !== turnId ? failed('turn.not_found') : ok(waiting);
  }

  async function view(sessionId: SessionId): Promise<Answer<SessionView>> {
    const found = findSession(store, sessionId);
    if (!found.ok) return found;
    const waiting = await listening.waitingTurn(found.value);
    // Listening takes a moment in which the session may have moved on.
    const session = findSession(store, sessionId);
    return session.ok ? ok(toSessionView(completion, session.value, waiting)) : session;
  }

  async function hintsFor(session: Session, level: number): Promise<Answer<string[]>> {
    if (isLive(session)) return coach.hint(heldOf(session), level <= 1 ? 1 : level === 2 ? 2 : 3);
    const scene = findScene(catalogue, session);
    return scene.ok ? ok(hintsHere(scene.value, level)) : scene;
  }

  /** One at a time of all that changes a session after its end. */
  function once(sessionId: SessionId, work: (session: Session) => Promise<Answer<void>>): Promise<Answer<void>> {
    const underWay = completions.get(sessionId);
    if (underWay !== undefined) return underWay;
    const current = findSession(store, sessionId);
    if (!current.ok) return Promise.resolve(current);
    const completing = work(current.value).finally(() => completions.delete(sessionId));
    completions.set(sessionId, completing);
    return completing;
  }

  async function completeOnce(session: Session): Promise<void> {
    if (!completions.has(session.id)) endConversation(completion, session);
    await once(session.id, async (ended) => ok(await scoreAndComplete(completion, ended)));
  }

  async function reviewOnce({ id }: Session): Promise<void> {
    await once(id, async (session) => ok(await reviewDue(completion, session)));
  }

  function result({ sessionId }: InSession): Answer<ResultView> {
    const session = findSession(store, sessionId);
    return session.ok ? ok(toResultView(completion, session.value, listening.unsentTurns(session.value))) : session;
  }

  return {
    async start(wish) {
      const started = await startSession(completion, wish);
      return started.ok ? ok(toSessionView(completion, started.value, null)) : started;
    },

    session: ({ sessionId }) => view(sessionId),

    beginTurn({ sessionId }, windowGone) {
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      // What was never finished is shown before it gives way to anything else.
      if (openTurns.interrupt(sessionId)) return failed('turn.interrupted');
      const begun = recordings.begin(sessionId);
      const expected = expectedTexts(session.value);
      if (begun.ok && expected.length > 0) following.begin(begun.value.turnId, expected);
      if (!begun.ok) return begun;
      listening.begin(session.value, begun.value.turnId);
      openTurns.begin({ sessionId, turnId: begun.value.turnId }, windowGone);
      return begun;
    },

    async appendAudio({ turnId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const appended = recordings.append({ turnId, seq, pcm: bytes });
      if (!appended.ok) return appended;
      listening.follow(turnId, { seq, pcm: bytes });
      return ok({ ...appended.value, following: following.hear(turnId, { seq, pcm: bytes }) });
    },

    async finishTurn({ sessionId, turnId, hintLevel }) {
      const open = findOpen(store, sessionId);
      if (!open.ok) return open;
      openTurns.end({ sessionId, turnId });
      const recording = recordings.close(turnId, hintLevel);
      if (!recording.ok) return recording;
      // Of one that was paused while somebody spoke, it waits to be heard until the session is shown again.
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      if (recording.value.outcome === null) return ok(await hear(session.value, recording.value, null));
      return ok(toHeardTurn(recording.value, recording.value, expectedTexts(session.value)));
    },

    async hearAgain({ sessionId, turnId }) {
      const session = findRunning(sessionId);
      if (!session.ok) return session;
      const recording = findWaiting(sessionId, turnId);
      return recording.ok ? ok(await hear(session.value, recording.value, null)) : recording;
    },

    async hearUnsent({ sessionId, turnId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      const recording = recordings.unsent(sessionId).find((one) => one.turnId === turnId);
      if (recording === undefined) return failed('turn.not_found');
      await hear(session.value, recording, null);
      void coach.release(sessionId);
      return result({ sessionId });
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
        const committed = commitTurn(completion, session.value, {
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

    async sendTyped({ sessionId, text, hintLevel }) {
      const sent = store.transaction((): Answer<void> => {
        const session = findRunning(sessionId);
        if (!session.ok) return session;
        const waiting = recordings.waiting(sessionId);
        // Speech that could not be scored is kept with the words that the learner typed for it.
        const isOfIt = waiting?.outcome === 'not_scored' && (waiting.text ?? text) === text;
        const spoken = isOfIt ? waiting : null;
        const committed = commitTurn(completion, session.value, {
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
      if (sent.ok) listening.drop(sessionId);
      return sent.ok ? view(sessionId) : sent;
    },

    draft({ sessionId }) {
      const session = findSession(store, sessionId);
      return session.ok ? ok({ text: readDraft(store, sessionId) }) : session;
    },

    keepDraft({ sessionId, text }) {
      const session = findOpen(store, sessionId);
      if (!session.ok) return session;
      keepDraft(store, sessionId, text);
      return ok(undefined);
    },

    async *hearCoach({ sessionId, takeOver }, signal) {
      const session = findOpen(store, sessionId);
      if (!session.ok) throw new CoachFailed(session.error);
      if (isCoachsTurn(session.value)) {
        const here = oneWindow.enter(sessionId, { takeOver, signal });
        if (here === null) throw new CoachFailed({ code: 'live.other_window' });
        try {
          yield* hearCoach({ store, coach }, session.value, here.signal);
        } catch (error) {
          throw here.wasTakenOver() ? new CoachFailed({ code: 'live.other_window' }, { cause: error }) : error;
        } finally {
          here.leave();
        }
      }
      const now = await view(sessionId);
      if (!now.ok) throw new CoachFailed(now.error);
      yield { type: 'session', session: now.value };
    },

    async takeOver({ sessionId }) {
      const session = findOpen(store, sessionId);
      if (!session.ok) return session;
      listening.takeOver(sessionId);
      return ok(undefined);
    },

    async hint({ sessionId, level }) {
      const session = findOpen(store, sessionId);
      if (!session.ok) return session;
      const hints = await hintsFor(session.value, level);
      if (!hints.ok) return hints;
      keepHintLevel(store, session.value, level);
      return ok({ hints: hints.value });
    },

    async pause({ sessionId }) {
      const session = findOpen(store, sessionId);
      if (!session.ok) return session;
      pauseSession(store, session.value);
      listening.letGo(sessionId);
      void coach.release(sessionId);
      return view(sessionId);
    },

    async resume({ sessionId }) {
      const session = findOpen(store, sessionId);
      if (!session.ok) return session;
      resumeSession(store, session.value);
      return view(sessionId);
    },

    async finish({ sessionId }) {
      await calls.endOf(sessionId);
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      listening.letGo(sessionId);
      // Asked again, a finished session answers as it did: the first answer may have been lost on its way.
      if (session.value.status !== 'completed') await completeOnce(session.value);
      else if (reviewOf(store, session.value) !== null)
        await once(sessionId, async (reviewed) => ok(void (await reviewLate(completion, reviewed))));
      return result({ sessionId });
    },

    discard({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (session.value.status === 'completed') return failed('session.already_completed');
      void coach.release(sessionId);
      store.transaction(() => {
        removeRow(store, 'practiceHistory', sessionId);
        forgetClock(store, sessionId);
        forgetDraft(store, sessionId);
        forgetHints(store, sessionId);
        forgetScoring(completion, sessionId);
      });
      recordings.remove(sessionId, RECORDING_STATES);
      listening.drop(sessionId);
      return ok(undefined);
    },

    result,

    async writeDown({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (session.value.status !== 'completed') return failed('turn.not_ready', { detail: 'not scored yet' });
      const written = await once(sessionId, (now) => writeDownRest(completion, now));
      return written.ok ? result({ sessionId }) : written;
    },

    finishWhatIsDue: () => finishWhatIsDue(completion, { completeOnce, reviewOnce }),
  };
}
