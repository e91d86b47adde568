/** Lets one window at a time stream a session's coach, so that a second window does not ask the model again. */
import type { SessionId } from '@parley/domain';

export interface StreamHolder {
  /** Aborts when the window closes or another one takes over. */
  signal: AbortSignal;
  wasTakenOver(): boolean;
  release(): void;
}

export interface StreamLock {
  /** Returns null while another window streams. A window stops counting when its own signal has aborted. */
  acquire(sessionId: SessionId, request: { takeOver: boolean; signal: AbortSignal }): StreamHolder | null;
}

export function createStreamLock(): StreamLock {
  const holders = new Map<SessionId, { window: AbortSignal; taken: AbortController }>();
  return {
    acquire(sessionId, { takeOver, signal }) {
      const before = holders.get(sessionId);
      if (before !== undefined && !before.window.aborted && !takeOver) return null;
      before?.taken.abort();
      const holder = { window: signal, taken: new AbortController() };
      holders.set(sessionId, holder);
      return {
        signal: AbortSignal.any([signal, holder.taken.signal]),
        wasTakenOver: () => holder.taken.signal.aborted,
        release: () => {
          if (holders.get(sessionId) === holder) holders.delete(sessionId);
        },
      };
    },
  };
}
