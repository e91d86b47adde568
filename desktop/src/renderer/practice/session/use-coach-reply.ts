/** Requests a model coach's reply when it is the coach's turn, and collects its text while it streams. */
import type { SessionView } from '@parley/contract';
import { useCallback, useEffect, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';

export type CoachReply =
  | { status: 'silent' }
  | { status: 'thinking' }
  /** The model is being loaded into memory, which can take minutes. */
  | { status: 'loading' }
  | { status: 'speaking'; words: string; proved: ReadonlyMap<string, string> }
  /** The learner's turn is kept; `retry` requests the reply again. */
  | { status: 'failed'; error: unknown; retry: (options?: { takeOver: boolean }) => void };

/** Other windows wait, so that the window in which the learner spoke requests the reply. */
const OTHER_WINDOW_DELAY_MS = 500;

const SILENT_REPLY: CoachReply = { status: 'silent' };

/** A performance mark for a complete reply; end-to-end tests measure with it. */
const REPLY_COMPLETE_MARK = 'coach:line';

/** When the learner's turn came from another window, this one waits before it requests the reply. */
export function useCoachReply(
  session: SessionView,
  { isOwn: isFromThisWindow, onSession }: { isOwn: boolean; onSession: (session: SessionView) => void },
): CoachReply {
  const { client } = useHost();
  const { sessionId, phase } = session;
  const turnCount = session.turns.length;
  const [coach, setCoach] = useState<CoachReply>(SILENT_REPLY);
  // Taking over applies to one reply only.
  const [takeOverRequest, setTakeOverRequest] = useState<{ takesOverAt: number | null }>({ takesOverAt: null });
  const retry = useCallback(
    ({ takeOver } = { takeOver: false }) => setTakeOverRequest({ takesOverAt: takeOver ? turnCount : null }),
    [turnCount],
  );

  useEffect(() => {
    if (phase !== 'coach_turn') {
      setCoach(SILENT_REPLY);
      return;
    }
    const abortController = new AbortController();
    const takeOver = takeOverRequest.takesOverAt === turnCount;
    const streamReply = async (): Promise<void> => {
      setCoach({ status: 'thinking' });
      if (!isFromThisWindow) await new Promise((resolve) => setTimeout(resolve, OTHER_WINDOW_DELAY_MS));
      if (abortController.signal.aborted) return;
      let words = '';
      const proved = new Map<string, string>();
      for await (const event of await client.practice.streamCoachReply(
        { sessionId, takeOver },
        { signal: abortController.signal },
      )) {
        if (abortController.signal.aborted) return;
        if (event.type === 'session') {
          performance.mark(REPLY_COMPLETE_MARK);
          onSession(event.session);
          continue;
        }
        if (event.type === 'loading') {
          setCoach({ status: 'loading' });
          continue;
        }
        if (event.type === 'words') words += event.text;
        else proved.set(event.objectiveId, event.words);
        setCoach({ status: 'speaking', words, proved: new Map(proved) });
      }
    };
    streamReply().catch((error: unknown) => {
      if (!abortController.signal.aborted) setCoach({ status: 'failed', error, retry });
    });
    return () => abortController.abort();
    // `onSession` is a new function on each render and must not restart the request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client, sessionId, phase, turnCount, takeOverRequest, retry, isFromThisWindow]);
  return coach;
}

/** The objectives, including those proved while the coach is still replying. */
export const objectivesDuringReply = (session: SessionView, coach: CoachReply): SessionView['objectives'] =>
  coach.status !== 'speaking'
    ? session.objectives
    : session.objectives.map((objective) => ({
        ...objective,
        provedBy: objective.provedBy ?? coach.proved.get(objective.objectiveId) ?? null,
      }));
