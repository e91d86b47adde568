/**
 * Tracks turns that are being recorded. When the recording window closes, the audio so far becomes the waiting turn.
 */
import type { SessionId, TurnId } from '@parley/domain';
import type { Logger } from '../../logger.ts';
import type { Recordings } from '../../recordings/index.ts';
import type { StreamingRecognition } from '../../scorer/index.ts';
import type { Store } from '../../store/index.ts';
import type { TurnRecognition } from './recognition.ts';

interface OpenTurn {
  sessionId: SessionId;
  turnId: TurnId;
}

export interface OpenTurns {
  /** `windowGone` aborts when the recording window loses its connection to the host. */
  begin(turn: OpenTurn, windowGone: AbortSignal | undefined): void;
  /** Call this when the window has finished the turn. */
  end(turn: OpenTurn): void;
  /** Ends a turn whose window has gone or failed to finish it. Returns true if a waiting turn remains. */
  interrupt(sessionId: SessionId): boolean;
}

export interface OpenTurnsParts {
  store: Store;
  recordings: Recordings;
  streamingRecognition: StreamingRecognition;
  listening: TurnRecognition;
  logger: Logger;
}

export function createOpenTurns(parts: OpenTurnsParts): OpenTurns {
  const { store, recordings, streamingRecognition, listening, logger } = parts;
  const openBySession = new Map<SessionId, { turnId: TurnId; finished: AbortController }>();

  function removeOpenTurn(sessionId: SessionId): TurnId | null {
    const open = openBySession.get(sessionId);
    if (open === undefined) return null;
    openBySession.delete(sessionId);
    open.finished.abort();
    streamingRecognition.end(open.turnId);
    return open.turnId;
  }

  function interrupt(sessionId: SessionId): boolean {
    const turnId = removeOpenTurn(sessionId);
    // If storing the end of a recording failed, the recording is still unfinished, although its window has finished the
    // turn.
    if (recordings.interrupt(turnId === null ? { sessionId } : { sessionId, turnId }) === null) return false;
    listening.stopStreaming(sessionId);
    // Another window may just have loaded the session, so it is told to reload.
    store.transaction(() => store.markChanged('practice_history'));
    return true;
  }

  return {
    begin({ sessionId, turnId }, windowGone) {
      removeOpenTurn(sessionId);
      const over = new AbortController();
      openBySession.set(sessionId, { turnId, finished: over });
      const onWindowClosed = (): void => {
        try {
          interrupt(sessionId);
        } catch (error) {
          // After a failure such as a full disk, the recording is recovered at the next start.
          logger.error({ err: error, sessionId }, 'interrupted_recording_not_closed');
        }
      };
      if (windowGone?.aborted === true) onWindowClosed();
      else windowGone?.addEventListener('abort', onWindowClosed, { once: true, signal: over.signal });
    },
    end({ sessionId, turnId }) {
      if (openBySession.get(sessionId)?.turnId === turnId) removeOpenTurn(sessionId);
    },
    interrupt,
  };
}
