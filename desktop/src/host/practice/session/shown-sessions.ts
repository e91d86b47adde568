/** Remembers which sessions the windows of this device may show, because none of them may be ended in front of the learner. */
import type { SessionId } from '@parley/domain';

export interface ShownSessions {
  /** `windowGone` aborts when the window loses its connection. Without it, the end would not be known, so nothing is remembered. */
  add(sessionId: SessionId, windowGone: AbortSignal | undefined): void;
  has(sessionId: SessionId): boolean;
}

export function createShownSessions(): ShownSessions {
  // A window does not say which screen it shows, so it may still show each session that it has opened.
  const sessionsByWindow = new Map<AbortSignal, Set<SessionId>>();
  return {
    add(sessionId, windowGone) {
      if (windowGone === undefined || windowGone.aborted) return;
      const sessions = sessionsByWindow.get(windowGone);
      if (sessions !== undefined) return void sessions.add(sessionId);
      sessionsByWindow.set(windowGone, new Set([sessionId]));
      windowGone.addEventListener('abort', () => sessionsByWindow.delete(windowGone), { once: true });
    },
    has: (sessionId) => [...sessionsByWindow.values()].some((sessions) => sessions.has(sessionId)),
  };
}
