/** Lets a live coach answer whenever it has the word, and gathers its words while they come. */
import type { SessionView } from '@parley/contract';
import { useCallback, useEffect, useState } from 'react';
import { useHost } from '../app/host-context.tsx';

export type LiveCoach =
  | { status: 'silent' }
  | { status: 'thinking' }
  /** Its model is being brought into memory, which takes up to minutes. */
  | { status: 'loading' }
  | { status: 'speaking'; words: string; proved: ReadonlyMap<string, string> }
  /** What the learner said is kept; the coach can be asked again. */
  | { status: 'failed'; error: unknown; retry: (wish?: { takeOver: boolean }) => void };

/** The window in which the learner spoke asks first; others only look on. */
const AFTER_YOU_MS = 500;

const SILENT: LiveCoach = { status: 'silent' };

/** When a line is whole: for measuring. */
const LINE_MARK = 'coach:line';

/** `isOwn`: what the coach answers was said in this window, or before it was opened. */
export function useLiveCoach(
  session: SessionView,
  { isOwn, onSession }: { isOwn: boolean; onSession: (session: SessionView) => void },
): LiveCoach {
  const { client } = useHost();
  const { sessionId, phase } = session;
  const turnCount = session.turns.length;
  const [coach, setCoach] = useState<LiveCoach>(SILENT);
  // Who took one line over is asked again for the next.
  const [wish, setWish] = useState<{ takesOverAt: number | null }>({ takesOverAt: null });
  const retry = useCallback(
    ({ takeOver } = { takeOver: false }) => setWish({ takesOverAt: takeOver ? turnCount : null }),
    [turnCount],
  );

  useEffect(() => {
    if (phase !== 'coach_turn') {
      setCoach(SILENT);
      return;
    }
    const leaving = new AbortController();
    const takeOver = wish.takesOverAt === turnCount;
    const listen = async (): Promise<void> => {
      setCoach({ status: 'thinking' });
      if (!isOwn) await new Promise((resolve) => setTimeout(resolve, AFTER_YOU_MS));
      if (leaving.signal.aborted) return;
      let words = '';
      const proved = new Map<string, string>();
      for await (const event of await client.practice.hearCoach({ sessionId, takeOver }, { signal: leaving.signal })) {
        if (leaving.signal.aborted) return;
        if (event.type === 'session') {
          performance.mark(LINE_MARK);
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
    listen().catch((error: unknown) => {
      if (!leaving.signal.aborted) setCoach({ status: 'failed', error, retry });
    });
    return () => leaving.abort();
    // `onSession` writes into the cache and is made anew with each render: it is no reason to ask again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client, sessionId, phase, turnCount, wish, retry, isOwn]);
  return coach;
}

/** Objectives as they stand while the coach still speaks. */
export const tickedWhile = (session: SessionView, coach: LiveCoach): SessionView['objectives'] =>
  coach.status !== 'speaking'
    ? session.objectives
    : session.objectives.map((objective) => ({
        ...objective,
        provedBy: objective.provedBy ?? coach.proved.get(objective.objectiveId) ?? null,
      }));
