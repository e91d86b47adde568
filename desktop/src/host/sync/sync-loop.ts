/** The sync loop: pushes, pulls and waits. Being offline is one of its states and blocks nothing else. */
import type { Poke, PokeRows, PokeWithRows, SyncStatus } from '@parley/contract';
import { ok } from '@parley/domain';
import { type HostResult, failed, type HostFailure } from '../result/index.ts';
import { syncState, checkpoint } from '../store/index.ts';
import { createAccountSwitch } from './account/account-switch.ts';
import { isRegistered } from './account/adopt-account.ts';
import { createRowWriter } from './pull/apply-rows.ts';
import {
  backoffMs,
  connectToServer,
  maxDelayMs,
  readToken,
  type ServerClient,
  type ServerConnection,
  toFailure,
} from '../server/index.ts';
import { createPokeFollowUp } from './poke-follow-up.ts';
import { createPokeListener } from './poke-listener.ts';
import { storePokeRows } from './pull/pull-pages.ts';
import { fetchTurns, INCOMPLETE, RESYNCING } from './pull/fetch-turns.ts';
import { createWholeFetch } from './pull/whole-fetch.ts';
import { createTurnFetcher } from './pull/turn-fetcher.ts';
import { countWaitingChanges } from './push/push-changes.ts';
import { countUnreadable } from './pull/unreadable-rows.ts';
import { recover } from './restore/recover.ts';
import { isResyncing } from './restore/resync.ts';
import { ensureRegistered, reregister } from './account/register-device.ts';
import { dismissRejected, listRejected, rejectedCount } from './quarantine/rejected-changes.ts';
import { createRoundTimer } from './round-timer.ts';
import type { Sync, SyncOptions } from './sync.ts';
import { createSyncRound } from './sync-round.ts';

/** Jitter may yield almost zero, and a failing server must not be retried at once. */
const MIN_RETRY_MS = 250;
const OUTDATED_RETRY_MS = 60_000;
/** A long history takes seconds to move, during which the app stands still. */
const MOVE_RETRY_MS = 5 * 60_000;

export function createSync(options: SyncOptions): Sync {
  const { store, vault, logger, chance, device } = options;
  const listeners = new Set<(status: SyncStatus) => void>();
  const server =
    options.serverUrl === null ? null : connectToServer(options.serverUrl, () => readToken(vault, store.identity()));
  const longestMs = options.serverUrl === null ? 0 : maxDelayMs(options.serverUrl);
  const writer = createRowWriter({ store, logger });
  const round = createSyncRound({
    store,
    vault,
    logger,
    chance,
    device,
    writer,
    isClosed: () => isClosed,
    onState: setState,
  });
  const pokes =
    server === null
      ? null
      : createPokeListener({
          client: server.client,
          chance,
          longestMs,
          onPoke: handlePoke,
          onDisconnect: () => scheduleFullRound(backoffMs(1, { chance, longestMs })),
        });
  let state: SyncStatus['state'] = server === null ? 'no_server' : 'idle';
  let failures = 0;
  /** Why the last round failed; null if it succeeded or none has run. */
  let lastFailure: HostFailure | null = null;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isClosed = false;
  let mustCheckpoint = false;
  const followUp = createPokeFollowUp(() => {
    if (!isClosed) options.onReceived?.();
  });
  const timer = createRoundTimer(() => void runRoundAndFetchTurns());
  let stopListening: (() => void) | null = null;
  let lastRound: Promise<void> = Promise.resolve();
  /** Settles when no session is being fetched beside a round. */
  let besideRounds: Promise<unknown> = Promise.resolve();

  const turns = createTurnFetcher({
    store,
    logger,
    fetch: (sessionIds) =>
      runExclusively(async () => {
        const failure = await fetchTurnsOf(sessionIds());
        if (failure !== null) recoverTurns(failure);
        return failure;
      }),
    fetchNow: (sessionId) => {
      const fetched = fetchBesideRound(sessionId);
      besideRounds = Promise.allSettled([besideRounds, fetched]);
      return fetched;
    },
    isIdle: () => state === 'idle',
    backoffMs: (count) => Math.max(MIN_RETRY_MS, waitMsAfter(count)),
    options: options.turns,
  });

  const status = (): SyncStatus => ({
    state,
    waiting: countWaitingChanges(store),
    rejected: rejectedCount(store),
    unread: countUnreadable(store),
    lastSyncedAt: store.db.select({ at: syncState.lastSyncedAt }).from(syncState).get()?.at ?? null,
  });

  function setState(next: SyncStatus['state']): void {
    state = next;
    if (isClosed) return;
    const current = status();
    for (const listener of listeners) listener(current);
  }

  /** Runs one round or account change at a time. */
  function runExclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = running.then(work);
    running = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  function schedule(afterMs: number): void {
    if (isClosed || server === null || stopListening === null) return;
    timer.set(afterMs);
  }

  const retry = (afterMs: number): void => schedule(Math.max(MIN_RETRY_MS, afterMs));

  /** A move that failed is not tried again for each notice of the server. */
  const mayStartRound = (): boolean => !isRunning && state !== 'not_moved';

  /** Requests a full round, because a poke may have been missed. */
  function scheduleFullRound(afterMs: number): void {
    round.requirePull();
    if (mayStartRound()) retry(afterMs);
  }

  function handlePoke({ rows, ...versions }: PokeWithRows): void {
    // A device that is behind pulls in any case, and this poke may be older than the one that told it so.
    const canStoreRows = !isRunning && state === 'idle' && !round.isBehind();
    round.announce(versions);
    if (rows !== undefined && canStoreRows && storeRowsOfPoke(rows, versions)) setState(state);
    // A poke shows that the server is reachable again, so the backoff ends.
    if (mayStartRound() && (state === 'offline' || state === 'backing_off' || round.isBehind())) schedule(0);
  }

  /** Returns false if it fails or does not fit; the next round then pulls the rows. */
  function storeRowsOfPoke(rows: PokeRows, versions: Poke): boolean {
    try {
      const isStored = storePokeRows({ store, logger, writer }, { rows, versions });
      mustCheckpoint ||= isStored;
      if (isStored) followUp.onRowsStored(rows.tables);
      return isStored;
    } catch (error) {
      logger.error({ err: error }, 'poke_rows_store_failed');
      return false;
    }
  }

  function runRoundAndFetchTurns(): Promise<void> {
    lastRound = runExclusively(runOnce).then(() => turns.fetchRecent());
    return lastRound;
  }

  async function fetchTurnsOf(sessionIds: readonly string[]): Promise<HostFailure | null> {
    if (sessionIds.length === 0) return null;
    if (server === null || isClosed) return { code: 'sync.offline' };
    return fetchTurns({ store, logger, writer }, { server, sessionIds, isClosed: () => isClosed });
  }

  /** The learner who opens a session does not wait for a first sync, which may take minutes. */
  async function fetchBesideRound(sessionId: string): Promise<HostFailure | null> {
    const failure = await fetchTurnsOf([sessionId]);
    // Only between two rounds may a resync begin: a stream that is being read would end it too early.
    if (failure !== null) void runExclusively(async () => recoverTurns(failure));
    return failure?.code === 'sync.resync' ? RESYNCING : failure;
  }

  function recoverTurns(failure: HostFailure): void {
    if (isClosed) return;
    if (failure.code === 'sync.resync') {
      recoverFrom(failure);
      retry(0);
    }
    // The pull finds out whether the server was replaced or restored.
    if (failure.detail === INCOMPLETE.detail) scheduleFullRound(0);
  }

  async function runOnce(): Promise<void> {
    if (server === null || isClosed) return;
    isRunning = true;
    try {
      if (!(await accountSwitch.completeMove())) return;
      const { hasPulled } = await round.run(server);
      mustCheckpoint ||= hasPulled;
      pokes?.start();
      failures = 0;
      lastFailure = null;
      setState('idle');
      if (hasPulled && !isClosed) options.onReceived?.();
      const hasMore = countWaitingChanges(store) > 0 || round.isBehind();
      if (!hasMore && mustCheckpoint) setImmediate(checkpointAfterPull);
      schedule(hasMore ? 0 : round.msUntilPull());
    } catch (error) {
      if (isClosed) return;
      const failure = await reregisterIfForgotten(server, toFailure(error));
      if (failure.code === 'internal') logger.error({ err: error }, 'sync_failed');
      else if (failure.code !== 'sync.offline')
        logger.warn({ code: failure.code, detail: failure.detail }, 'sync_stopped');
      handleFailure(failure);
    } finally {
      isRunning = false;
    }
  }

  /** A restored server may have forgotten this device. It registers again, and the next round continues. */
  async function reregisterIfForgotten({ client }: ServerConnection, failure: HostFailure): Promise<HostFailure> {
    if (failure.code !== 'auth.required') return failure;
    try {
      return (await reregister(client, { store, vault, device })) ? { code: 'sync.offline' } : failure;
    } catch (error) {
      return toFailure(error);
    }
  }

  /** Runs while nothing waits for the database. */
  function checkpointAfterPull(): void {
    if (isClosed || !mustCheckpoint) return;
    mustCheckpoint = false;
    checkpoint(store.sqlite);
  }

  /** If recovery fails, for example on a full disk, the next failure retries it. */
  function recoverFrom(failure: HostFailure): void {
    try {
      if (recover(failure, { store, logger })) round.requirePull();
    } catch (error) {
      logger.error({ err: error, code: failure.code }, 'recovery_failed');
    }
  }

  const waitMsAfter = (count: number): number =>
    Math.max(server?.retryAfterMs() ?? 0, backoffMs(count, { chance, longestMs }));

  function handleFailure(failure: HostFailure): void {
    failures += 1;
    lastFailure = failure;
    const waitMs = waitMsAfter(failures);
    switch (failure.code) {
      case 'auth.required':
      case 'auth.device_revoked':
      case 'auth.forbidden':
        return setState('signed_out');
      case 'sync.protocol_too_old':
      case 'sync.protocol_too_new':
        setState(failure.code === 'sync.protocol_too_old' ? 'outdated' : 'ahead');
        // The app or the server is too old; it may have been updated by the next attempt.
        return retry(Math.max(waitMs, OUTDATED_RETRY_MS));
      case 'sync.offline':
        setState('offline');
        return retry(waitMs);
      default:
        recoverFrom(failure);
        setState('backing_off');
        return retry(waitMs);
    }
  }

  /**
   * Whether the server has every row that it has confirmed to this device. A server that was restored without knowing
   * this device answers `auth.required` instead, so it cannot be asked.
   */
  const hasConfirmedRows = (): boolean =>
    !isResyncing(store) && (lastFailure === null || lastFailure.code === 'auth.device_revoked');

  /** Returns how the round ended; another one may begin at once. */
  const runFullRound = (): Promise<SyncStatus> =>
    runExclusively(async () => {
      round.requirePull();
      await runOnce();
      return status();
    });

  async function run(): Promise<SyncStatus> {
    const ended = await runFullRound();
    await turns.fetchRecent();
    return ended;
  }

  const { fetchEverything, fetchBeforeMoving } = createWholeFetch({
    store,
    turns,
    hasServer: () => server !== null,
    runFullRound,
  });

  async function callServer<Value>(call: (client: ServerClient) => Promise<Value>): Promise<HostResult<Value>> {
    if (server === null) return failed('sync.offline');
    try {
      await ensureRegistered(server.client, { store, vault, device });
      return ok(await call(server.client));
    } catch (error) {
      return { ok: false, error: toFailure(error) };
    }
  }

  /** Runs beside a first sync, which may take minutes; only an unregistered device waits for the current round. */
  const onceRegistered = <Value>(work: () => Promise<Value>): Promise<Value> =>
    isRegistered(store) ? work() : runExclusively(work);

  const accountSwitch = createAccountSwitch({
    store,
    vault,
    logger,
    device,
    run,
    runExclusively,
    callServer,
    fetchBeforeMoving: async () => (await fetchBeforeMoving()) ?? (await options.fetchFilesBeforeMoving?.()) ?? null,
    hasConfirmedRows,
    onMoved() {
      lastFailure = null;
      failures = 0;
      round.announce({ user: 0, catalogue: 0 });
      turns.forgetFailures();
      pokes?.start({ again: true });
    },
    onMoveFailed() {
      lastFailure = { code: 'internal' };
      setState('not_moved');
      retry(MOVE_RETRY_MS);
    },
  });

  return {
    status,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      stopListening = store.changes.subscribe(() => {
        if (isRunning || state !== 'idle' || countWaitingChanges(store) === 0) return;
        turns.onActivity();
        schedule(0);
      });
      if (server !== null) lastRound = run().then(() => undefined);
    },
    run,
    rejected: () => listRejected(store),
    dismissRejected(id) {
      dismissRejected(store, id);
      setState(state);
    },
    async fetchTurns(sessionId) {
      const error = await turns.fetchSession(sessionId);
      return error === null ? ok(undefined) : { ok: false, error };
    },
    fetchEverything,
    request: (call) => onceRegistered(() => callServer(call)),
    switchAccount: accountSwitch.switchAccount,
    async whenIdle() {
      await lastRound;
      await running;
    },
    async close() {
      isClosed = true;
      turns.close();
      stopListening?.();
      timer.cancel();
      followUp.cancel();
      server?.cancelAll();
      await running;
      await besideRounds;
      await pokes?.close();
    },
  };
}
