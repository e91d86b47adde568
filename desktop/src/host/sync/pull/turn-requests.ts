/** Requests the turns of sessions from the server, between rounds or in parallel with them. */
import type { HostFailure } from '../../result/index.ts';
import type { ServerConnection } from '../../server/index.ts';
import { fetchTurns, RESYNCING } from './fetch-turns.ts';
import type { PullParts } from './pull-pages.ts';
import type { TurnFetcherParts } from './turn-fetcher.ts';

export interface TurnRequestsParts extends PullParts {
  server: ServerConnection | null;
  isClosed: () => boolean;
  runExclusively: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Called between two rounds. */
  onFailure: (failure: HostFailure) => void;
}

export interface TurnRequests extends Pick<TurnFetcherParts, 'fetch' | 'fetchNow'> {
  /** Resolves when no session is being fetched in parallel with a round. */
  whenIdle: () => Promise<unknown>;
}

export function createTurnRequests(parts: TurnRequestsParts): TurnRequests {
  const { server, isClosed, runExclusively } = parts;
  let besideRounds: Promise<unknown> = Promise.resolve();

  async function fetchTurnsOf(sessionIds: readonly string[]): Promise<HostFailure | null> {
    if (sessionIds.length === 0) return null;
    if (server === null || isClosed()) return { code: 'sync.offline' };
    return fetchTurns(parts, { server, sessionIds, isClosed });
  }

  /** A learner who opens a session does not wait for a first sync, which may take minutes. */
  async function fetchBesideRound(sessionId: string): Promise<HostFailure | null> {
    const failure = await fetchTurnsOf([sessionId]);
    // A resync may begin only between two rounds: a stream that is being read would end it too early.
    if (failure !== null) void runExclusively(async () => reportFailure(failure));
    return failure?.code === 'sync.resync' ? RESYNCING : failure;
  }

  function reportFailure(failure: HostFailure): void {
    if (!isClosed()) parts.onFailure(failure);
  }

  return {
    fetch: (sessionIds) =>
      runExclusively(async () => {
        const failure = await fetchTurnsOf(sessionIds());
        if (failure !== null) reportFailure(failure);
        return failure;
      }),
    fetchNow(sessionId) {
      const fetched = fetchBesideRound(sessionId);
      besideRounds = Promise.allSettled([besideRounds, fetched]);
      return fetched;
    },
    whenIdle: () => besideRounds,
  };
}
