/** One window at a time hears a session's coach: a second one asks the model nothing, unless it takes the conversation over. */
import type { SessionId } from '@parley/domain';

export interface Listener {
  /** Aborts when the window goes, and when another one takes over. */
  signal: AbortSignal;
  wasTakenOver(): boolean;
  leave(): void;
}

export interface OneWindow {
  /** Null while another window listens, which it does no more once its own signal has aborted. */
  enter(sessionId: SessionId, wish: { takeOver: boolean; signal: AbortSignal }): Listener | null;
}

export function createOneWindow(): OneWindow {
  const listening = new Map<SessionId, { window: AbortSignal; taken: AbortController }>();
  return {
    enter(sessionId, { takeOver, signal }) {
      const before = listening.get(sessionId);
      if (before !== undefined && !before.window.aborted && !takeOver) return null;
      before?.taken.abort();
      const here = { window: signal, taken: new AbortController() };
      listening.set(sessionId, here);
      return {
        signal: AbortSignal.any([signal, here.taken.signal]),
        wasTakenOver: () => here.taken.signal.aborted,
        leave: () => {
          if (listening.get(sessionId) === here) listening.delete(sessionId);
        },
      };
    },
  };
}
