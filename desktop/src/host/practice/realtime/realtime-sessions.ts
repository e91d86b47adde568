/** Manages the realtime sessions of this device and allows one per practice session. */
import type { RealtimeEvent, PlaybackPosition } from '@parley/contract';
import { ok, type SessionId } from '@parley/domain';
import { type HostResult, failed } from '../../result/index.ts';
import { CoachError } from '../../coach/index.ts';
import { readPcm16 } from '../../recordings/index.ts';
import { findOpenSession, pauseSession, resumeSession } from '../session/open-session.ts';
import { findSession } from '../session/session-rows.ts';
import { hasModelCoach } from '../session/turn-order.ts';
import { type RealtimeSession, type RealtimeSessionParts, createRealtimeSession } from './realtime-session.ts';
import { sendTranscribedTurn } from './send-transcribed-turn.ts';

type RealtimeSessionKey = { callId: string };

export interface RealtimeSessions {
  /** Throws a `CoachError`; what was said before is kept. */
  open(
    request: RealtimeSessionKey & { sessionId: SessionId; takeOver: boolean; patienceMs: number | null },
    signal: AbortSignal,
  ): AsyncGenerator<RealtimeEvent, void>;
  pushAudio(piece: RealtimeSessionKey & { seq: number; pcm: Blob }): Promise<HostResult<void>>;
  played(heard: RealtimeSessionKey & PlaybackPosition): HostResult<void>;
  setOnHold(request: RealtimeSessionKey & { on: boolean }): HostResult<void>;
  end(request: RealtimeSessionKey): HostResult<void>;
  /** Ends the realtime session of a practice session. Resolves when the last utterance is stored. */
  endSession(sessionId: SessionId): Promise<void>;
  close(): Promise<void>;
}

export function createRealtimeSessions(parts: RealtimeSessionParts): RealtimeSessions {
  const { store, recordings } = parts;
  const sessions = new Map<string, { sessionId: SessionId; call: RealtimeSession; nextSeq: number }>();

  const withSession = (callId: string, act: (call: RealtimeSession) => void): HostResult<void> => {
    const session = sessions.get(callId);
    if (session === undefined) return failed('session.ended', { detail: 'call' });
    act(session.call);
    return ok(undefined);
  };

  /** Reads audio that was not sent before a disconnect or crash. */
  async function readUnsentAudio(sessionId: SessionId): Promise<Uint8Array | null> {
    const waiting = recordings.waitingRecording(sessionId);
    if (waiting === null) return null;
    const pcm = await readPcm16(recordings, waiting);
    // Another window may have sent the turn in the meantime.
    if (recordings.waitingRecording(sessionId)?.recordingId !== waiting.recordingId) return null;
    // A missing file must not prevent the session.
    return pcm.ok ? pcm.value : null;
  }

  const findSessions = (sessionId: SessionId): RealtimeSession[] =>
    [...sessions.values()].flatMap((session) => (session.sessionId === sessionId ? [session.call] : []));

  function onSessionOver(callId: string, sessionId: SessionId): void {
    sessions.delete(callId);
    const session = findOpenSession(store, sessionId);
    // The session's clock is paused because no connection is open.
    if (findSessions(sessionId).length === 0 && session.ok) pauseSession(store, session.value);
  }

  /**
   * A session that another device has ended accepts no more turns. After a coach's goodbye, the session is still in
   * progress.
   */
  function abortEndedSessions(): void {
    for (const { sessionId, call } of sessions.values()) {
      const session = findSession(store, sessionId);
      if (!session.ok) call.abort(session.error);
      else if (session.value.status !== 'in_progress') call.abort({ code: 'session.already_completed' });
    }
  }

  const unsubscribe = store.changes.subscribe((tables) => {
    // Ending the call stores what is being said, which changes the store again, so the feed must first finish
    // publishing the current change.
    if (sessions.size > 0 && tables.includes('practice_history')) queueMicrotask(abortEndedSessions);
  });

  return {
    async *open({ callId, ...request }, signal) {
      const { sessionId } = request;
      const inOtherWindow = { code: 'live.other_window' } as const;
      const others = findSessions(sessionId);
      if (others.length > 0 && !request.takeOver) throw new CoachError(inOtherWindow);
      for (const call of others) call.abort(inOtherWindow);
      // A turn that was being recorded is part of the unsent audio.
      recordings.interrupt({ sessionId });
      const unheard = await readUnsentAudio(sessionId);
      // If two windows begin at the same time, the first one gets the session.
      if (findSessions(sessionId).some((call) => !others.includes(call))) throw new CoachError(inOtherWindow);
      const session = findOpenSession(store, sessionId);
      if (!session.ok) throw new CoachError(session.error);
      if (!hasModelCoach(session.value) || session.value.communicationStyle !== 'audio')
        throw new CoachError({ code: 'practice.no_dialogue' });
      resumeSession(store, session.value);
      const isSent = sendTranscribedTurn(parts, sessionId);
      if (!isSent.ok) throw new CoachError(isSent.error);
      const call = createRealtimeSession(parts, {
        ...request,
        unsentAudio: isSent.value ? null : unheard,
        whenOver: () => onSessionOver(callId, sessionId),
      });
      sessions.set(callId, { sessionId, call, nextSeq: 0 });
      const leave = (): void => call.abort(null);
      signal.addEventListener('abort', leave);
      try {
        for await (const event of call.events) {
          if (event instanceof CoachError) throw event;
          yield event;
        }
      } finally {
        signal.removeEventListener('abort', leave);
        leave();
      }
    },

    async pushAudio({ callId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const session = sessions.get(callId);
      if (session === undefined) return failed('session.ended', { detail: 'call' });
      if (seq < session.nextSeq) return ok(undefined);
      if (seq > session.nextSeq) return failed('audio.gap', { detail: String(session.nextSeq) });
      if (bytes.byteLength % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
      session.nextSeq += 1;
      session.call.pushAudio(bytes);
      return ok(undefined);
    },
    played: ({ callId, ...heard }) => withSession(callId, (call) => call.onPlayed(heard)),
    setOnHold: ({ callId, on }) => withSession(callId, (call) => call.setOnHold(on)),
    end: ({ callId }) => withSession(callId, (call) => call.end()),
    async endSession(sessionId) {
      const calls = findSessions(sessionId);
      for (const call of calls) call.end();
      await Promise.all(calls.map((call) => call.whenOver()));
    },
    async close() {
      unsubscribe();
      const active = [...sessions.values()];
      for (const { call } of active) call.abort(null);
      await Promise.all(active.map(({ call }) => call.whenScored()));
    },
  };
}
