/** The calls of this device: who holds which, and that a session has one. */
import type { CallEvent, LineHeard } from '@parley/contract';
import { ok, type SessionId } from '@parley/domain';
import { type Answer, failed } from '../../answer/index.ts';
import { CoachFailed } from '../../coach/index.ts';
import { readPcm16 } from '../../recordings/index.ts';
import { findOpen, pauseSession, resumeSession } from '../open-session.ts';
import { isLive } from '../whose-turn.ts';
import { type Call, type CallParts, holdCall } from './call.ts';

type InCall = { callId: string };

export interface Calls {
  /** Throws a `CoachFailed`; what was said until then is kept. */
  hold(
    wish: InCall & { sessionId: SessionId; takeOver: boolean; patienceMs: number | null },
    signal: AbortSignal,
  ): AsyncGenerator<CallEvent, void>;
  sound(piece: InCall & { seq: number; pcm: Blob }): Promise<Answer<void>>;
  played(heard: InCall & LineHeard): Answer<void>;
  giveMeAMoment(wish: InCall & { on: boolean }): Answer<void>;
  end(wish: InCall): Answer<void>;
  /** Ends what is held of this session; resolves when what was said last is kept. */
  endOf(sessionId: SessionId): Promise<void>;
  close(): Promise<void>;
}

export function createCalls(parts: CallParts): Calls {
  const { store, recordings } = parts;
  const calls = new Map<string, { sessionId: SessionId; call: Call; nextSeq: number }>();

  const inCall = (callId: string, act: (call: Call) => void): Answer<void> => {
    const held = calls.get(callId);
    if (held === undefined) return failed('session.ended', { detail: 'call' });
    act(held.call);
    return ok(undefined);
  };

  /** What was being said when a call broke off, or when this program was killed. */
  async function readUnheard(sessionId: SessionId): Promise<Uint8Array | null> {
    const waiting = recordings.waiting(sessionId);
    const pcm = waiting === null ? null : await readPcm16(recordings, waiting);
    // A file that is gone holds up no call.
    return pcm?.ok === true ? pcm.value : null;
  }

  const heldIn = (sessionId: SessionId): Call[] =>
    [...calls.values()].flatMap((held) => (held.sessionId === sessionId ? [held.call] : []));

  function isOver(callId: string, sessionId: SessionId): void {
    calls.delete(callId);
    const session = findOpen(store, sessionId);
    // The clock stands still where nobody can speak.
    if (heldIn(sessionId).length === 0 && session.ok) pauseSession(store, session.value);
  }

  return {
    async *hold({ callId, ...wish }, signal) {
      const { sessionId } = wish;
      const inOtherWindow = { code: 'live.other_window' } as const;
      const others = heldIn(sessionId);
      if (others.length > 0 && !wish.takeOver) throw new CoachFailed(inOtherWindow);
      for (const call of others) call.leave(inOtherWindow);
      // A turn that was still being recorded is part of what the coach has not heard.
      recordings.interrupt({ sessionId });
      const unheard = await readUnheard(sessionId);
      // Of two that begin at once, the first has it.
      if (heldIn(sessionId).some((call) => !others.includes(call))) throw new CoachFailed(inOtherWindow);
      const session = findOpen(store, sessionId);
      if (!session.ok) throw new CoachFailed(session.error);
      if (!isLive(session.value) || session.value.communicationStyle !== 'audio')
        throw new CoachFailed({ code: 'practice.no_dialogue' });
      resumeSession(store, session.value);
      const call = holdCall(parts, { ...wish, unheard, whenOver: () => isOver(callId, sessionId) });
      calls.set(callId, { sessionId, call, nextSeq: 0 });
      const leave = (): void => call.leave(null);
      signal.addEventListener('abort', leave);
      try {
        for await (const event of call.events) {
          if (event instanceof CoachFailed) throw event;
          yield event;
        }
      } finally {
        signal.removeEventListener('abort', leave);
        leave();
      }
    },

    async sound({ callId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const held = calls.get(callId);
      if (held === undefined) return failed('session.ended', { detail: 'call' });
      if (seq < held.nextSeq) return ok(undefined);
      if (seq > held.nextSeq) return failed('audio.gap', { detail: String(held.nextSeq) });
      if (bytes.byteLength % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
      held.nextSeq += 1;
      held.call.sound(bytes);
      return ok(undefined);
    },
    played: ({ callId, ...heard }) => inCall(callId, (call) => call.played(heard)),
    giveMeAMoment: ({ callId, on }) => inCall(callId, (call) => call.giveMeAMoment(on)),
    end: ({ callId }) => inCall(callId, (call) => call.end()),
    async endOf(sessionId) {
      const held = heldIn(sessionId);
      for (const call of held) call.end();
      await Promise.all(held.map((call) => call.whenOver()));
    },
    async close() {
      const held = [...calls.values()];
      for (const { call } of held) call.leave(null);
      await Promise.all(held.map(({ call }) => call.whenScored()));
    },
  };
}
