/**
 * Decides when missing turns are fetched: those of the last 90 days at once, those of a session that is being opened
 * before all others, and the rest in the background while the learner is idle.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import type { HostFailure } from '../../result/index.ts';
import { hasMissingTurns, listMissingTurns, type Store } from '../../store/index.ts';

export interface TurnFetcherOptions {
  /** Sessions that were changed within this time are fetched at once. */
  recentDays?: number;
  /** The pause between two requests in the background. */
  pauseMs?: number;
  /** How long the learner must have changed nothing before the background work continues. */
  quietMs?: number;
}

export interface TurnFetcherParts {
  store: Store;
  logger: Logger;
  /** Fetches the turns of these sessions while no round is running. Returns why it failed, or null. */
  fetch: (sessionIds: () => readonly string[]) => Promise<HostFailure | null>;
  /** Fetches the turns of a session now, concurrently with a round. */
  fetchNow: (sessionId: string) => Promise<HostFailure | null>;
  /** Whether background work may continue: the device is in sync with its server. */
  isIdle: () => boolean;
  /** How long to wait after this many failures. */
  backoffMs: (failures: number) => number;
  options?: TurnFetcherOptions | undefined;
}

export interface TurnFetcher {
  /** Fetches the recent sessions, then continues in the background. Call this after each round. Never rejects. */
  fetchRecent(): Promise<void>;
  /** Fetches one session before all others. Returns null when its turns are here. */
  fetchSession(sessionId: string): Promise<HostFailure | null>;
  /**
   * Fetches everything. Returns null when all turns are here. An `internal` failure concerns only some of the sessions;
   * all others are here.
   */
  fetchAll(): Promise<HostFailure | null>;
  /** Retries the sessions on which the server has failed, for example after a sign-in. */
  forgetFailures(): void;
  /** The learner is active, so background work waits. */
  onActivity(): void;
  close(): void;
}

/**
 * Each request costs as much as a session or two, and what the learner says meanwhile waits until it has been answered.
 */
const SESSIONS_AT_ONCE = 10;
/** Small enough for background work to notice soon that the learner is active again. */
const SESSIONS_IN_BACKGROUND = 5;
const RECENT_DAYS = 90;
const PAUSE_MS = 1_000;
const QUIET_MS = 30_000;
const DAY_MS = 86_400_000;
/** How long background work skips a session on which the server has failed. */
const FAILED_FOR_MS = 6 * 3_600_000;
/** How often in a row a request for everything waits for a busy server. */
const MAX_WAITS = 5;

export function createTurnFetcher(parts: TurnFetcherParts): TurnFetcher {
  const { store, logger, fetch, isIdle, options = {} } = parts;
  const { recentDays = RECENT_DAYS, pauseMs = PAUSE_MS, quietMs = QUIET_MS } = options;
  /** Sessions on which the server has failed, with the time of their next attempt in the background. */
  const failedUntilMs = new Map<string, number>();
  /** Whether sessions are requested one at a time, to find the one on which the server fails. */
  let isFindingCulprit = false;
  let failures = 0;
  let quietFromMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;

  function listFailed(): ReadonlySet<string> {
    for (const [sessionId, untilMs] of failedUntilMs) if (untilMs <= performance.now()) failedUntilMs.delete(sessionId);
    return new Set(failedUntilMs.keys());
  }

  interface Wanted {
    since: Date | null;
    atOnce: number;
    /** The sessions to skip, evaluated when the request is made. */
    except: () => ReadonlySet<string>;
  }

  function next({ since, atOnce, except }: Wanted): string[] {
    const left = except();
    const limit = isFindingCulprit ? 1 : atOnce;
    return listMissingTurns(store, { since, limit: limit + left.size })
      .filter((sessionId) => !left.has(sessionId))
      .slice(0, limit);
  }

  const inBackground: Wanted = { since: null, atOnce: SESSIONS_IN_BACKGROUND, except: listFailed };

  interface Fetched {
    sessionIds: readonly string[];
    failure: HostFailure | null;
    /** The session on which the server has failed, if it was requested alone. */
    culprit: string | null;
  }

  async function fetchNext(wanted: Wanted): Promise<Fetched> {
    let sessionIds: readonly string[] = [];
    const failure = await fetch(() => (sessionIds = isClosed() ? [] : next(wanted)));
    if (failure === null) {
      failures = 0;
      isFindingCulprit = false;
      return { sessionIds, failure, culprit: null };
    }
    failures += 1;
    // One session must not hold up the others, so sessions are requested one at a time to find it. Other failures
    // concern all of them.
    if (failure.code === 'internal') isFindingCulprit = true;
    const [culprit = null] = failure.code === 'internal' && sessionIds.length === 1 ? sessionIds : [];
    if (culprit !== null) failedUntilMs.set(culprit, performance.now() + FAILED_FOR_MS);
    return { sessionIds, failure, culprit };
  }

  function schedule(failure: HostFailure | null): void {
    clearTimeout(timer);
    if (isClosed() || next(inBackground).length === 0) return;
    begin(failure === null ? pauseMs : Math.max(pauseMs, parts.backoffMs(failures)));
  }

  function begin(afterMs: number): void {
    timer = setTimeout(() => void goOn(), afterMs);
    timer.unref();
  }

  const goOn = async (): Promise<void> =>
    withoutRejection(async () => {
      const quietInMs = quietFromMs - performance.now();
      if (quietInMs > 0) return begin(quietInMs);
      // The next successful round continues.
      if (!isIdle()) return;
      schedule((await fetchNext(inBackground)).failure);
    });

  /** A failing disk must not end the process. The next round tries again. */
  const withoutRejection = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => {
      if (!isClosed()) logger.error({ err: error }, 'turn_fetch_failed');
    });

  return {
    fetchRecent: () =>
      withoutRejection(async () => {
        const since = new Date(store.clock.now().getTime() - recentDays * DAY_MS);
        let last: Fetched | null = null;
        while (isIdle() && !isClosed() && (last === null || (last.failure === null && last.sessionIds.length > 0)))
          last = await fetchNext({ since, atOnce: SESSIONS_AT_ONCE, except: listFailed });
        schedule(last?.failure ?? null);
      }),
    async fetchSession(sessionId) {
      // A session that is here does not wait for anything.
      if (!hasMissingTurns(store, sessionId)) return null;
      const failure = await parts.fetchNow(sessionId);
      if (isClosed()) return failure;
      return hasMissingTurns(store, sessionId) ? (failure ?? { code: 'sync.offline' }) : null;
    },
    async fetchAll() {
      const tried = new Set<string>();
      const wanted: Wanted = { since: null, atOnce: SESSIONS_AT_ONCE, except: () => tried };
      let firstFailure: HostFailure | null = null;
      let waits = 0;
      // A device that has everything does not wait for a round.
      while (!isClosed() && next(wanted).length > 0) {
        const { sessionIds, failure, culprit } = await fetchNext(wanted);
        if (isClosed()) break;
        if (failure === null) {
          waits = 0;
          // Turns that are still missing although nothing failed are not requested over and over.
          for (const sessionId of sessionIds) tried.add(sessionId);
        } else if (failure.code === 'internal') {
          firstFailure ??= failure;
          if (culprit !== null) tried.add(culprit);
        } else if (failure.code === 'request.too_many' && (waits += 1) <= MAX_WAITS)
          await wait(parts.backoffMs(failures), undefined, { signal: closing.signal }).catch(() => undefined);
        else return failure;
      }
      if (isClosed()) return { code: 'sync.offline' };
      return listMissingTurns(store, { since: null, limit: 1 }).length === 0
        ? null
        : (firstFailure ?? { code: 'sync.offline' });
    },
    forgetFailures: () => failedUntilMs.clear(),
    onActivity() {
      quietFromMs = performance.now() + quietMs;
    },
    close() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}
