/** Keeps this device in sync: rounds that push and pull, pokes, turns that come later, and moves between accounts. */
import { ok } from '@parley/domain';
import type { HostFailure } from '../result/index.ts';
import { backoffMs, connectToServer, maxDelayMs, readToken } from '../server/index.ts';
import { createAccountSwitch } from './account/account-switch.ts';
import { createCheckpointer } from './checkpointer.ts';
import { createPokeFollowUp } from './poke-follow-up.ts';
import { createPokeHandler } from './poke-handler.ts';
import { createPokeListener } from './poke-listener.ts';
import { createRowWriter } from './pull/apply-rows.ts';
import { INCOMPLETE } from './pull/fetch-turns.ts';
import { createTurnFetcher } from './pull/turn-fetcher.ts';
import { createTurnRequests } from './pull/turn-requests.ts';
import { createWholeFetch } from './pull/whole-fetch.ts';
import { countWaitingChanges } from './push/push-changes.ts';
import { dismissRejected, listRejected } from './quarantine/rejected-changes.ts';
import { createRoundLoop } from './round-loop.ts';
import { createServerCalls } from './server-calls.ts';
import { createStatusReporter } from './status-reporter.ts';
import type { Sync, SyncOptions } from './sync.ts';

export function createSync(options: SyncOptions): Sync {
  const { store, vault, logger, chance, device, serverUrl } = options;
  const server = serverUrl === null ? null : connectToServer(serverUrl, () => readToken(vault, store.identity()));
  const longestMs = serverUrl === null ? 0 : maxDelayMs(serverUrl);
  const writer = createRowWriter({ store, logger });
  let isClosed = false;
  let isWiping = false;
  let stopListening: (() => void) | null = null;
  const shared = { store, vault, logger, chance, device, server, writer, longestMs, isClosed: () => isClosed };

  const reporter = createStatusReporter(store, {
    initialState: server === null ? 'no_server' : 'idle',
    isClosed: shared.isClosed,
    leadsTo: () => server?.leadsTo() ?? null,
    obstacle: () => server?.obstacle() ?? null,
    isMoveOffline: () => rounds.hasServerFailed(),
  });
  const { state, status } = reporter;
  const checkpointer = createCheckpointer(store, shared);
  const followUp = createPokeFollowUp(() => {
    if (!isClosed) options.onReceived?.();
  });

  const rounds = createRoundLoop({
    ...shared,
    reporter,
    beforeRound: () => accountSwitch.completeMove(),
    onSuccess({ hasPulled }) {
      pokes?.start();
      if (!hasPulled) return;
      checkpointer.onRowsStored();
      if (!isClosed) options.onReceived?.();
    },
    onWipeOrdered(key) {
      isWiping = options.onWipeOrdered?.(key) ?? false;
    },
    onCaughtUp: checkpointer.runSoon,
    afterRound: () => turns.fetchRecent(),
  });
  const { runExclusively } = rounds;

  const pokes =
    server === null
      ? null
      : createPokeListener({
          client: server.client,
          chance,
          longestMs,
          onPoke: createPokeHandler({ ...shared, reporter, rounds, checkpointer, followUp }),
          onDisconnect: () => rounds.scheduleFullRound(backoffMs(1, { chance, longestMs })),
        });

  const turnRequests = createTurnRequests({ ...shared, runExclusively, onFailure: recoverTurns });
  const turns = createTurnFetcher({
    store,
    logger,
    fetch: turnRequests.fetch,
    fetchNow: turnRequests.fetchNow,
    isIdle: () => state() === 'idle',
    backoffMs: rounds.waitMsAfter,
    options: options.turns,
  });

  function recoverTurns(failure: HostFailure): void {
    if (failure.code === 'sync.resync') {
      rounds.recoverFrom(failure);
      rounds.retry(0);
    }
    // The pull finds out whether the server was replaced or restored.
    if (failure.detail === INCOMPLETE.detail) rounds.scheduleFullRound(0);
  }

  const { fetchEverything, fetchBeforeMoving } = createWholeFetch({
    store,
    turns,
    hasServer: () => server !== null,
    runFullRound: rounds.runFullRound,
  });

  const serverCalls = createServerCalls({ ...shared, runExclusively });
  const accountSwitch = createAccountSwitch({
    ...shared,
    run: rounds.run,
    runExclusively,
    callServer: serverCalls.call,
    fetchBeforeMoving: async () => (await fetchBeforeMoving()) ?? (await options.fetchFilesBeforeMoving?.()) ?? null,
    hasConfirmedRows: rounds.hasConfirmedRows,
    isForgotten: rounds.isForgotten,
    isWiping: () => isWiping,
    onMoved() {
      rounds.onMoved();
      turns.forgetFailures();
      pokes?.start({ again: true });
    },
    onMoveFailed: rounds.onMoveFailed,
  });

  return {
    status,
    onStatus: reporter.onStatus,
    start() {
      stopListening = store.changes.subscribe(() => {
        if (rounds.isRunning() || state() !== 'idle' || countWaitingChanges(store) === 0) return;
        turns.onActivity();
        rounds.schedule(0);
      });
      rounds.start();
    },
    run: rounds.run,
    rejected: () => listRejected(store),
    dismissRejected(id) {
      dismissRejected(store, id);
      reporter.report();
    },
    async fetchTurns(sessionId) {
      const error = await turns.fetchSession(sessionId);
      return error === null ? ok(undefined) : { ok: false, error };
    },
    fetchEverything,
    request: serverCalls.callBesideRound,
    switchAccount: accountSwitch.switchAccount,
    whenIdle: rounds.whenIdle,
    async close() {
      isClosed = true;
      turns.close();
      stopListening?.();
      followUp.cancel();
      server?.cancelAll();
      await rounds.close();
      await turnRequests.whenIdle();
      await pokes?.close();
    },
  };
}
