/** Lets a live coach answer whenever it has the word, and gathers its words while they come. */
import type { SessionView } from '@parley/contract';
import { useCallback, useEffect, useState } from 'react';
import { useHost } from '../app/host-context.tsx';

export type LiveCoach =
  | { status: 'silent' }
  | { status: 'thinking' }
  | { status: 'speaking'; words: string; proved: ReadonlyMap<string, string> }
  /** What the learner said is kept; the coach can be asked again. */
  | { status: 'failed'; error: unknown; retry: () => void };

const SILENT: LiveCoach = { status: 'silent' };

/** When a line is whole: for measuring. */
const LINE_MARK = 'coach:line';

export function useLiveCoach(session: SessionView, onSession: (session: SessionView) => void): LiveCoach {
  const { client } = useHost();
  const { sessionId, phase } = session;
  const turnCount = session.turns.length;
  const [coach, setCoach] = useState<LiveCoach>(SILENT);
  const [tries, setTries] = useState(0);
  const retry = useCallback(() => setTries((count) => count + 1), []);

  useEffect(() => {
    if (phase !== 'coach_turn') {
      setCoach(SILENT);
      return;
    }
    const leaving = new AbortController();
    const listen = async (): Promise<void> => {
      setCoach({ status: 'thinking' });
      let words = '';
      const proved = new Map<string, string>();
      for await (const event of await client.practice.hearCoach({ sessionId }, { signal: leaving.signal })) {
        if (leaving.signal.aborted) return;
        if (event.type === 'session') {
          performance.mark(LINE_MARK);
          onSession(event.session);
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
  }, [client, sessionId, phase, turnCount, tries, retry]);
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
