/**
 * Remembers which sessions the windows of this device may be showing, because no session may be ended while it is on
 * screen.
 */
import type { SessionId } from '@parley/domain';

export interface ShownSessions {
  /**
   * `windowGone` aborts when the window loses its connection. Without that signal, nothing is remembered, because it
   * could never be forgotten.
   */
  add(sessionId: SessionId, windowGone: AbortSignal | undefined): void;
  has(sessionId: SessionId): boolean;
}

export function createShownSessions(): ShownSessions {
  // A window does not report which screen it shows, so it may still show any session that it has opened.
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
