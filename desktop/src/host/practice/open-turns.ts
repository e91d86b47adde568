/** Turns that are being recorded now. When the window that records one goes away, what was said until then becomes the waiting turn. */
import type { SessionId, TurnId } from '@parley/domain';
import type { Logger } from '../logger.ts';
import type { Recordings } from '../recordings/index.ts';
import type { LiveFollowing } from '../scorer/index.ts';
import type { Store } from '../store/index.ts';
import type { Listening } from './listening.ts';

interface OpenTurn {
  sessionId: SessionId;
  turnId: TurnId;
}

export interface OpenTurns {
  /** `windowGone` aborts when the window that records it loses its connection to the host. */
  begin(turn: OpenTurn, windowGone: AbortSignal | undefined): void;
  /** The window has finished it. */
  end(turn: OpenTurn): void;
  /** Ends a turn whose window has gone. True when there is a waiting turn for it. */
  interrupt(sessionId: SessionId): boolean;
}

export interface OpenTurnsParts {
  store: Store;
  recordings: Recordings;
  following: LiveFollowing;
  listening: Listening;
  logger: Logger;
}

export function createOpenTurns(parts: OpenTurnsParts): OpenTurns {
  const { store, recordings, following, listening, logger } = parts;
  const openBySession = new Map<SessionId, { turnId: TurnId; over: AbortController }>();

  function forget(sessionId: SessionId): TurnId | null {
    const open = openBySession.get(sessionId);
    if (open === undefined) return null;
    openBySession.delete(sessionId);
    open.over.abort();
    following.end(open.turnId);
    return open.turnId;
  }

  function interrupt(sessionId: SessionId): boolean {
    const turnId = forget(sessionId);
    if (turnId === null) return false;
    if (recordings.interrupt({ sessionId, turnId }) === null) return false;
    listening.letGo(sessionId);
    // A window that opened this session a moment too early asks for it again.
    store.transaction(() => store.touch('practice_history'));
    return true;
  }

  return {
    begin({ sessionId, turnId }, windowGone) {
      forget(sessionId);
      const over = new AbortController();
      openBySession.set(sessionId, { turnId, over });
      const leave = (): void => {
        try {
          interrupt(sessionId);
        } catch (error) {
          // A full disk, for one: the recording is recovered when the host starts again.
          logger.error({ err: error, sessionId }, 'interrupted_recording_not_closed');
        }
      };
      if (windowGone?.aborted === true) leave();
      else windowGone?.addEventListener('abort', leave, { once: true, signal: over.signal });
    },
    end({ sessionId, turnId }) {
      if (openBySession.get(sessionId)?.turnId === turnId) forget(sessionId);
    },
    interrupt,
  };
}
